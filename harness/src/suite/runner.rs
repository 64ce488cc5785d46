//! The runner: plays one scenario in one revision, and a whole plan side by side.
//!
//! Cucumber gives the language (Gherkin, expressions, the attributes on step functions). Playing the scenarios is done
//! here, because a conformance run needs what a test run does not: a limit on each scenario, a run that ends when the
//! target hangs, surroundings for one scenario alone, and whose fault a failure is.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use futures::{StreamExt as _, stream};
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;

use super::{
    Blame, Environment, Failure, Isolation, ScenarioResult, ScenarioStatus, Scene, Stage,
    StepFailure, Vocabulary,
    breaker::{Breaker, probe},
    quiet,
    restoring::{PATIENCE, restore},
    selection::PlannedRun,
    vocabulary::spoken,
};
use crate::{
    catalogue::{Profile, Scenario},
    client::{Recorder, Revision},
    target::Kind,
};

/// More at a time gains nothing and takes connections and memory from the server under test.
const MOST_JOBS: usize = 64;

/// How a plan is played.
#[derive(Debug, Clone)]
pub struct Options {
    /// Scenarios at a time.
    pub jobs: usize,
    /// Threads they are spread over; more than one needs a runtime with several threads.
    pub threads: usize,
    /// The longest time one scenario may take.
    pub scenario_timeout: Duration,
    /// Whether the first failure ends the run.
    pub fail_fast: bool,
    /// Whether a SHOULD that is not kept fails too.
    pub strict: bool,
    /// The command that repeats the run against the same target, without filters.
    pub rerun: String,
    /// Cancelled when the run is to end at once; what is being played then is given up.
    pub interrupt: CancellationToken,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            jobs: 16,
            threads: 1,
            scenario_timeout: Duration::from_secs(60),
            fail_fast: false,
            strict: false,
            rerun: "proofmark run".to_owned(),
            interrupt: CancellationToken::new(),
        }
    }
}

/// Told after every scenario: how many are done, how many there are, and the result.
pub type Observer<'a> = dyn Fn(usize, usize, &ScenarioResult) + Sync + 'a;

/// Plays every run of a plan and gives the results in the order of the plan; fewer if it was interrupted.
pub async fn play(
    runs: &[PlannedRun<'_>],
    stage: &Stage,
    vocabulary: &Vocabulary,
    options: &Options,
    observer: &Observer<'_>,
) -> Vec<ScenarioResult> {
    // A server that somebody else runs has one clock and one set of providers: scenarios that move them come last, alone.
    let alone =
        |run: &PlannedRun<'_>| run.scenario.isolated && stage.shared.target.kind == Kind::Url;
    let (last, together): (Vec<_>, Vec<_>) =
        runs.iter().enumerate().partition(|(_, run)| alone(run));
    let company = Company {
        stage,
        vocabulary,
        options,
        observer,
        breaker: Breaker::default(),
        done: AtomicUsize::new(0),
        total: runs.len(),
    };
    let together = mixed(together);
    let mut results = company.play_side_by_side(&together).await;
    results.extend(company.play_queue(stage, &Queue::of(&last), 1).await);
    results.sort_by_key(|(position, _)| *position);
    results.into_iter().map(|(_, result)| result).collect()
}

/// Scenarios that start servers or programs of their own mostly wait, the others mostly compute: taken by turns, from the
/// beginning, they fill each other's pauses, and no long wait is left for the end.
fn mixed<'a, 'plan>(
    runs: Vec<(usize, &'a PlannedRun<'plan>)>,
) -> Vec<(usize, &'a PlannedRun<'plan>)> {
    let (waiting, computing): (Vec<_>, Vec<_>) = runs
        .into_iter()
        .partition(|(_, run)| run.scenario.isolated || run.scenario.profile == Profile::Finanpy);
    let turns = waiting.len().max(computing.len());
    let (mut waiting, mut computing) = (waiting.into_iter(), computing.into_iter());
    (0..turns)
        .flat_map(|_| [waiting.next(), computing.next()])
        .flatten()
        .collect()
}

/// Runs that wait for whoever is free, each with its place in the plan.
struct Queue<'a, 'plan> {
    runs: &'a [(usize, &'a PlannedRun<'plan>)],
    next: AtomicUsize,
}

impl<'a, 'plan> Queue<'a, 'plan> {
    fn of(runs: &'a [(usize, &'a PlannedRun<'plan>)]) -> Self {
        Self {
            runs,
            next: AtomicUsize::new(0),
        }
    }

    fn take(&self) -> Option<(usize, &'a PlannedRun<'plan>)> {
        self.runs
            .get(self.next.fetch_add(1, Ordering::Relaxed))
            .copied()
    }
}

/// What all runs of a plan share.
struct Company<'a> {
    stage: &'a Stage,
    vocabulary: &'a Vocabulary,
    options: &'a Options,
    observer: &'a Observer<'a>,
    breaker: Breaker,
    done: AtomicUsize,
    total: usize,
}

impl Company<'_> {
    /// Plays runs on as many threads as the options allow. Steps stay on the thread they began on. The built-in server
    /// and its mocks are started once for each thread and driven by it; whatever else is tested is shared by all.
    async fn play_side_by_side(
        &self,
        runs: &[(usize, &PlannedRun<'_>)],
    ) -> Vec<(usize, ScenarioResult)> {
        let queue = Queue::of(runs);
        let jobs = self.options.jobs.clamp(1, MOST_JOBS);
        let threads = self.options.threads.clamp(1, jobs);
        if threads == 1 {
            return self.play_queue(self.stage, &queue, jobs).await;
        }
        let runtime = Handle::current();
        // The first threads take what is left when the jobs cannot be spread evenly.
        let share = |thread: usize| jobs / threads + usize::from(thread < jobs % threads);
        tokio::task::block_in_place(|| {
            std::thread::scope(|scope| {
                let (runtime, queue) = (&runtime, &queue);
                let workers: Vec<_> = (0..threads)
                    .map(|thread| {
                        let jobs = share(thread);
                        scope.spawn(move || {
                            self.play_on_a_stage_of_its_own(queue, jobs)
                                .unwrap_or_else(|| {
                                    runtime.block_on(self.play_queue(self.stage, queue, jobs))
                                })
                        })
                    })
                    .collect();
                workers
                    .into_iter()
                    .flat_map(|worker| match worker.join() {
                        Ok(results) => results,
                        Err(panic) => std::panic::resume_unwind(panic),
                    })
                    .collect()
            })
        })
    }

    /// Plays with a server, mocks and a runtime that only this thread drives: client, server and mocks then hand over to
    /// each other without waking another thread. Nothing if the target cannot be had more than once.
    fn play_on_a_stage_of_its_own(
        &self,
        queue: &Queue<'_, '_>,
        jobs: usize,
    ) -> Option<Vec<(usize, ScenarioResult)>> {
        if !self.stage.can_be_repeated() {
            return None;
        }
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .ok()?;
        runtime.block_on(async {
            let (stage, all) = match self.stage.repeated().await {
                Ok(repeated) => repeated,
                Err(failure) => {
                    tracing::warn!(%failure, "a thread found no server of its own and plays on the shared one");
                    return None;
                }
            };
            let results = self.play_queue(&stage, queue, jobs).await;
            // Every scenario is judged already.
            for running in all {
                let _ = running.stop().await;
            }
            Some(results)
        })
    }

    async fn play_queue(
        &self,
        stage: &Stage,
        queue: &Queue<'_, '_>,
        jobs: usize,
    ) -> Vec<(usize, ScenarioResult)> {
        stream::iter(std::iter::from_fn(|| queue.take()))
            .map(|(position, run)| self.play_one(stage, position, run))
            .buffer_unordered(jobs)
            .take_until(self.options.interrupt.cancelled())
            .collect()
            .await
    }

    async fn play_one(
        &self,
        stage: &Stage,
        position: usize,
        run: &PlannedRun<'_>,
    ) -> (usize, ScenarioResult) {
        let result = Player {
            run: *run,
            stage,
            vocabulary: self.vocabulary,
            options: self.options,
            breaker: &self.breaker,
        }
        .play()
        .await;
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        (self.observer)(done, self.total, &result);
        (position, result)
    }
}

/// One run of one scenario, with what it needs.
struct Player<'a> {
    run: PlannedRun<'a>,
    stage: &'a Stage,
    vocabulary: &'a Vocabulary,
    options: &'a Options,
    breaker: &'a Breaker,
}

/// How a scenario ended: held, or the step that did not and why.
type Ending = Result<(), (String, Failure)>;

impl Player<'_> {
    async fn play(&self) -> ScenarioResult {
        if let Some(reason) = self.breaker.reason() {
            return blank(self.run.scenario, Some(self.run.revision), reason);
        }
        let started = Instant::now();
        let recorder = Recorder::default();
        if self.changes_what_others_use() {
            self.restore().await;
        }
        let ending = match self.dead_letter() {
            Some(problem) => Err(problem),
            None => self.play_bounded(&recorder).await,
        };
        self.note(&ending, &recorder).await;
        if self.changes_what_others_use() {
            self.restore().await;
        }
        result(self.run, ending, &recorder, started.elapsed())
    }

    /// A scenario that can prove nothing: a step of it means nothing, or it asks nothing at all.
    fn dead_letter(&self) -> Option<(String, Failure)> {
        let scenario = self.run.scenario;
        if scenario.steps.is_empty() {
            let failure = Failure::harness("the scenario has no steps, so it proves nothing");
            return Some((scenario.name.clone(), failure));
        }
        scenario.steps.iter().find_map(|step| {
            let problem = self.vocabulary.meaning(step).err()?;
            let place = format!("{}:{}: {problem}", scenario.file, step.position.line);
            Some((spoken(step), Failure::harness(place)))
        })
    }

    async fn play_bounded(&self, recorder: &Recorder) -> Ending {
        let limit = self.options.scenario_timeout;
        let now = std::cell::RefCell::new("starting".to_owned());
        let playing = self.play_in_place(recorder, &now);
        match tokio::time::timeout(limit, playing).await {
            Ok(ending) => ending,
            Err(_) => {
                let step = now.borrow().clone();
                let failure = Failure::expected(format!(
                    "the scenario to end within {} s",
                    limit.as_secs()
                ))
                .actual(format!("still at \"{step}\""))
                .hint("the server answers too slowly, or not at all; --timeout gives it more time");
                Err((step, failure))
            }
        }
    }

    async fn play_in_place(&self, recorder: &Recorder, now: &std::cell::RefCell<String>) -> Ending {
        let scenario = self.run.scenario;
        if scenario.profile == Profile::Finanpy {
            return self.play_in_a_place_of_its_own(recorder, now).await;
        }
        if !scenario.isolated {
            let environment = Arc::clone(self.stage.shared_by(scenario.profile));
            let mut scene = self.scene(environment, recorder);
            return self.steps(&mut scene, now).await;
        }
        let Isolation {
            environment,
            running,
        } = self
            .stage
            .isolate(scenario)
            .await
            .map_err(|failure| (now.borrow().clone(), failure))?;
        let mut scene = self.scene(environment, recorder);
        scene.running = running;
        let ending = self.steps(&mut scene, now).await;
        if let Some(running) = scene.running.take() {
            // The scenario is judged already, and may have killed its server; dropping ends what is left.
            let _ = running.stop().await;
        }
        ending
    }

    /// A scenario over stdio starts its own programs, on a data folder of its own.
    async fn play_in_a_place_of_its_own(
        &self,
        recorder: &Recorder,
        now: &std::cell::RefCell<String>,
    ) -> Ending {
        let place = self.stage.place().await;
        let place = place.map_err(|failure| (now.borrow().clone(), failure))?;
        let mut scene = self.scene(Arc::clone(&self.stage.shared), recorder);
        scene.cash_book.settle(place);
        let ending = self.steps(&mut scene, now).await;
        scene.cash_book.end().await;
        ending
    }

    fn scene(&self, environment: Arc<Environment>, recorder: &Recorder) -> Scene {
        let mut scene = Scene::new(environment, self.run.revision);
        scene.recorder = recorder.clone();
        scene
    }

    async fn steps(&self, scene: &mut Scene, now: &std::cell::RefCell<String>) -> Ending {
        for step in &self.run.scenario.steps {
            let text = spoken(step);
            now.replace(text.clone());
            let phrase = match self.vocabulary.meaning(step) {
                Ok(phrase) => phrase,
                Err(problem) => return Err((text, Failure::harness(problem))),
            };
            let action = phrase.action();
            let context = phrase.context(step);
            if let Err(panic) = quiet::catch(action(scene, context)).await {
                return Err((text, failure_of(panic)));
            }
        }
        Ok(())
    }

    /// Whether the scenario moves the clock or breaks providers of a server that somebody else runs.
    fn changes_what_others_use(&self) -> bool {
        self.run.scenario.isolated
            && self.run.scenario.profile != Profile::Finanpy
            && self.stage.shared.target.kind == Kind::Url
    }

    /// Such a scenario finds everything in order, and leaves it so.
    async fn restore(&self) {
        // One that stayed shut once is not waited for again and again; it may never have been open.
        let patience = if self.breaker.stays_shut() {
            Duration::ZERO
        } else {
            PATIENCE
        };
        let restored = restore(&self.stage.shared, self.run.revision, patience).await;
        self.breaker.found_shut(restored.is_err());
        if let Err(failure) = restored {
            // The next scenario that needs the server says so in its own words.
            tracing::warn!(%failure, "the server is not in order after the scenario");
        }
    }

    /// Tells the breaker how the scenario ended.
    async fn note(&self, ending: &Ending, recorder: &Recorder) {
        let Err((_, failure)) = ending else {
            self.breaker.answered();
            return;
        };
        if failure.blame == Blame::Harness {
            return;
        }
        if self.options.fail_fast {
            self.breaker.stop();
        }
        // A program over stdio is the scenario's own, so its silence says nothing about the next one's.
        let own_server = self.run.scenario.profile == Profile::Finanpy
            || self.run.scenario.isolated && self.stage.shared.target.kind != Kind::Url;
        if own_server {
            return;
        }
        if recorder.ends_in_silence()
            || probe(&self.stage.shared_by(self.run.scenario.profile).target)
                .await
                .is_err()
        {
            self.breaker.silent();
        } else {
            self.breaker.answered();
        }
    }
}

/// A step's error reaches the suite as a panic that says a [`Failure`]; any other panic is a defect of the step.
fn failure_of(panic: quiet::StepPanic) -> Failure {
    Failure::read(&panic.message).unwrap_or_else(|| {
        let place = panic.place.unwrap_or_else(|| "an unknown place".to_owned());
        Failure::harness(format!("the step panicked at {place}: {}", panic.message))
    })
}

fn result(
    run: PlannedRun<'_>,
    ending: Ending,
    recorder: &Recorder,
    duration: Duration,
) -> ScenarioResult {
    let blank = blank(run.scenario, Some(run.revision), String::new());
    let clean = |text: &str| recorder.redacted(text);
    let (status, failure) = match ending {
        Ok(()) => (ScenarioStatus::Passed, None),
        Err((step, failure)) => {
            let status = match failure.blame {
                Blame::Target => ScenarioStatus::Failed,
                Blame::Harness => ScenarioStatus::NotProven,
            };
            let failure = StepFailure {
                step,
                blame: failure.blame,
                expected: clean(&failure.expected),
                actual: clean(&failure.actual),
                hint: failure.hint.as_deref().map(clean),
                exchange: recorder.lines(),
            };
            (status, Some(failure))
        }
    };
    ScenarioResult {
        status,
        reason: None,
        duration,
        failure,
        requests: recorder.requests(),
        ..blank
    }
}

/// A scenario of which nothing is known, and why.
#[must_use]
pub fn blank(scenario: &Scenario, revision: Option<Revision>, reason: String) -> ScenarioResult {
    ScenarioResult {
        id: scenario.id.clone(),
        profile: scenario.profile,
        feature: scenario.feature.clone(),
        rule: scenario.rule.clone(),
        name: scenario.name.clone(),
        place: format!("{}:{}", scenario.file, scenario.line),
        requirements: scenario.requirements.clone(),
        status: ScenarioStatus::NotProven,
        reason: Some(reason),
        revision,
        known_failure: false,
        known_for: Vec::new(),
        duration: Duration::ZERO,
        failure: None,
        requests: 0,
    }
}
