//! The vocabulary: every step the harness understands, and what a line of a scenario means.

use std::{
    collections::HashMap,
    fmt,
    sync::{LazyLock, Mutex, PoisonError},
};

use cucumber::{
    codegen::{Expression, Regex, StepConstructor, WorldInventory, inventory},
    gherkin::{self, StepType},
    step::Context,
};

use super::Scene;

/// A function that carries out a step.
pub type Action = cucumber::Step<Scene>;

/// One sentence the harness understands.
#[derive(Clone)]
pub struct Phrase {
    kind: StepType,
    pattern: Regex,
    place: String,
    action: Action,
}

impl Phrase {
    /// A phrase that matches `pattern` in whole.
    #[must_use]
    pub fn new(kind: StepType, pattern: Regex, place: String, action: Action) -> Self {
        Self {
            kind,
            pattern,
            place,
            action,
        }
    }

    /// `Given`, `When` or `Then`.
    #[must_use]
    pub fn keyword(&self) -> &'static str {
        keyword(self.kind)
    }

    /// File and line of the function.
    #[must_use]
    pub fn place(&self) -> String {
        self.place.clone()
    }

    /// The sentence for people: what varies stands in braces.
    #[must_use]
    pub fn text(&self) -> String {
        readable(self.pattern.as_str())
    }

    /// The function that carries it out.
    #[must_use]
    pub fn action(&self) -> Action {
        self.action
    }
}

impl fmt::Debug for Phrase {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {}", self.keyword(), self.pattern)
    }
}

/// Why a line of a scenario means nothing, or too much. Both are faults of the harness.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StepProblem {
    /// Nothing matches.
    #[error("no step is defined for \"{0}\"")]
    Undefined(String),
    /// More than one phrase matches.
    #[error("the step \"{step}\" can mean {}", places.join(" or "))]
    Ambiguous {
        /// The line.
        step: String,
        /// Where the phrases are.
        places: Vec<String>,
    },
}

/// Every step the harness understands.
#[derive(Debug, Default)]
pub struct Vocabulary {
    phrases: Vec<Phrase>,
    /// What each line met so far means: lines return in other revisions and scenarios, and trying hundreds of patterns
    /// on each would cost more than some servers need to answer.
    known: Mutex<HashMap<String, Meaning>>,
}

/// The place of a phrase among the phrases, or why there is none.
type Meaning = Result<usize, StepProblem>;

impl Vocabulary {
    /// The steps of [`crate::steps`], ordered by place.
    #[must_use]
    pub fn of_the_harness() -> Self {
        fn collect<Kind: inventory::Collect + StepConstructor<Scene>>(
            kind: StepType,
            phrases: &mut Vec<Phrase>,
        ) {
            for step in inventory::iter::<Kind> {
                let (location, pattern, action) = step.inner();
                let place = format!("{}:{:04}", location.path, location.line);
                phrases.push(Phrase::new(kind, pattern(), place, action));
            }
        }
        let mut phrases = Vec::new();
        collect::<<Scene as WorldInventory>::Given>(StepType::Given, &mut phrases);
        collect::<<Scene as WorldInventory>::When>(StepType::When, &mut phrases);
        collect::<<Scene as WorldInventory>::Then>(StepType::Then, &mut phrases);
        // Two functions on one line cannot be told apart by the checks; a macro could make them.
        phrases.sort_by(|left, right| left.place.cmp(&right.place));
        for phrase in &mut phrases {
            phrase.place = without_padding(&phrase.place);
        }
        Self {
            phrases,
            known: Mutex::default(),
        }
    }

    /// Adds a phrase.
    #[must_use]
    pub fn with(mut self, phrase: Phrase) -> Self {
        self.phrases.push(phrase);
        self
    }

    /// Every phrase.
    #[must_use]
    pub fn phrases(&self) -> &[Phrase] {
        &self.phrases
    }

    /// The one phrase a step means.
    ///
    /// # Errors
    /// When it means nothing, or more than one thing.
    pub fn meaning(&self, step: &gherkin::Step) -> Result<&Phrase, StepProblem> {
        let line = spoken(step);
        // A panic while the lock is held leaves meanings that are still true.
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let meaning = match known.get(&line) {
            Some(meaning) => meaning.clone(),
            None => {
                let meaning = self.look_up(step);
                known.insert(line.clone(), meaning.clone());
                meaning
            }
        }?;
        self.phrases
            .get(meaning)
            .ok_or(StepProblem::Undefined(line))
    }

    fn look_up(&self, step: &gherkin::Step) -> Meaning {
        let matching: Vec<usize> = (0..self.phrases.len())
            .filter(|position| {
                let phrase = &self.phrases[*position];
                phrase.kind == step.ty && phrase.pattern.is_match(&step.value)
            })
            .collect();
        match matching.as_slice() {
            [one] => Ok(*one),
            [] => Err(StepProblem::Undefined(spoken(step))),
            many => Err(StepProblem::Ambiguous {
                step: spoken(step),
                places: many
                    .iter()
                    .map(|position| self.phrases[*position].place())
                    .collect(),
            }),
        }
    }
}

impl Phrase {
    /// The step with the parts of it that vary, as its function wants them.
    #[must_use]
    pub fn context(&self, step: &gherkin::Step) -> Context {
        let names = self.pattern.capture_names();
        let matches = match self.pattern.captures(&step.value) {
            Some(captures) => names
                .zip(captures.iter())
                .map(|(name, part)| {
                    let text = part.map_or("", |part| part.as_str());
                    (name.map(str::to_owned), text.to_owned())
                })
                .collect(),
            None => Vec::new(),
        };
        Context {
            step: step.clone(),
            matches,
        }
    }
}

/// A step as it is written, with the keyword its kind stands for.
#[must_use]
pub fn spoken(step: &gherkin::Step) -> String {
    format!("{} {}", keyword(step.ty), step.value)
}

fn keyword(kind: StepType) -> &'static str {
    match kind {
        StepType::Given => "Given",
        StepType::When => "When",
        StepType::Then => "Then",
    }
}

fn without_padding(place: &str) -> String {
    match place.rsplit_once(':') {
        Some((path, line)) => format!("{path}:{}", line.trim_start_matches('0')),
        None => place.to_owned(),
    }
}

/// A pattern without its ends and without the names of its groups, which count the parameters before them.
fn bare(pattern: &str) -> String {
    let inner = pattern.trim_start_matches('^').trim_end_matches('$');
    let mut pieces = inner.split("(?P<");
    let mut text = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        text.push('(');
        text.push_str(piece.split_once('>').map_or(piece, |(_, rest)| rest));
    }
    text
}

/// Turns the pattern that a Cucumber expression became back into a sentence.
fn readable(pattern: &str) -> String {
    // Reading an expression takes a millisecond in a debug build, and there are hundreds of phrases.
    static BUILT_IN: LazyLock<Vec<(&str, String)>> = LazyLock::new(|| {
        ["{string}", "{int}", "{float}", "{word}"]
            .into_iter()
            .filter_map(|name| Some((name, bare(Expression::regex(name).ok()?.as_str()))))
            .collect()
    });
    let mut text = bare(pattern);
    for (name, expanded) in BUILT_IN.iter() {
        text = text.replace(expanded, name);
    }
    // What is left in parentheses is a parameter of ours; its alternatives say what it takes.
    let mut sentence = String::with_capacity(text.len());
    let mut depth = 0_u32;
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\\' => sentence.extend(characters.next()),
            '(' => {
                depth += 1;
                if depth == 1 {
                    sentence.push('{');
                }
                if characters.next_if_eq(&'?').is_some() {
                    characters.next();
                }
            }
            ')' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    sentence.push('}');
                }
            }
            other => sentence.push(other),
        }
    }
    sentence
}

#[cfg(test)]
mod tests {
    use futures::FutureExt as _;

    use super::*;

    fn phrase(pattern: &str) -> Phrase {
        Phrase::new(
            StepType::When,
            Regex::new(pattern).unwrap(),
            format!("here:{pattern}"),
            |_, _| async {}.boxed_local(),
        )
    }

    fn step(text: &str) -> gherkin::Step {
        let feature = format!("Feature: F\n  Scenario: S\n    When {text}\n");
        let feature = gherkin::Feature::parse(feature, gherkin::GherkinEnv::default()).unwrap();
        feature.scenarios[0].steps[0].clone()
    }

    #[test]
    fn a_step_means_the_one_phrase_that_matches() {
        let vocabulary = Vocabulary::default()
            .with(phrase("^a (.+)$"))
            .with(phrase("^b$"));
        let meant = vocabulary.meaning(&step("a cat")).unwrap();
        assert_eq!(meant.context(&step("a cat")).matches[1].1, "cat");
    }

    #[test]
    fn a_step_that_means_nothing_or_two_things_is_a_problem() {
        let vocabulary = Vocabulary::default()
            .with(phrase("^a.*$"))
            .with(phrase("^ab$"));
        let undefined = vocabulary.meaning(&step("c")).unwrap_err();
        assert_eq!(undefined.to_string(), "no step is defined for \"When c\"");
        let ambiguous = vocabulary.meaning(&step("ab")).unwrap_err();
        assert_eq!(
            ambiguous.to_string(),
            "the step \"When ab\" can mean here:^a.*$ or here:^ab$"
        );
    }

    #[test]
    fn a_pattern_reads_as_the_sentence_it_came_from() {
        let pattern = Expression::regex("she deposits {int} into {string} \\(cash)").unwrap();
        assert_eq!(
            readable(pattern.as_str()),
            "she deposits {int} into {string} (cash)"
        );
        assert_eq!(readable("^(Ada|Ben) asks$"), "{Ada|Ben} asks");
    }
}
