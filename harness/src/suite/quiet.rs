//! Runs a step so that a panic in it becomes a value, and prints nothing.

use std::{
    any::Any,
    cell::{Cell, RefCell},
    future::{Future, poll_fn},
    panic::{self, AssertUnwindSafe},
    pin::pin,
    sync::Once,
    task::Poll,
};

thread_local! {
    static IN_STEP: Cell<bool> = const { Cell::new(false) };
    static PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// A panic in a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepPanic {
    /// What it said.
    pub message: String,
    /// Where it happened, with file and line.
    pub place: Option<String>,
}

/// Polls `step` to its end and catches a panic in it. Panics anywhere else in the process are still printed: the
/// panic hook is left in place and only stays silent while a step is being polled on this thread.
///
/// # Errors
/// The panic, if there was one.
pub async fn catch<Output>(step: impl Future<Output = Output>) -> Result<Output, StepPanic> {
    install_hook();
    let mut step = pin!(step);
    poll_fn(move |context| {
        IN_STEP.set(true);
        let polled = panic::catch_unwind(AssertUnwindSafe(|| step.as_mut().poll(context)));
        IN_STEP.set(false);
        match polled {
            Ok(Poll::Pending) => Poll::Pending,
            Ok(Poll::Ready(output)) => Poll::Ready(Ok(output)),
            Err(payload) => Poll::Ready(Err(StepPanic {
                message: message_of(&*payload),
                place: PLACE.take(),
            })),
        }
    })
    .await
}

fn install_hook() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let previous = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if IN_STEP.get() {
                PLACE.set(
                    panic
                        .location()
                        .map(|place| format!("{}:{}", place.file(), place.line())),
                );
            } else {
                previous(panic);
            }
        }));
    });
}

fn message_of(payload: &(dyn Any + Send)) -> String {
    payload
        .downcast_ref::<String>()
        .cloned()
        .or_else(|| {
            payload
                .downcast_ref::<&str>()
                .map(|text| (*text).to_owned())
        })
        .unwrap_or_else(|| "a panic without a message".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_panic_becomes_a_value_with_its_place() {
        let panic = catch(async {
            tokio::task::yield_now().await;
            panic!("seven is not {}", 8)
        })
        .await
        .map(|(): ()| ())
        .unwrap_err();
        assert_eq!(panic.message, "seven is not 8");
        assert!(panic.place.unwrap().contains("quiet.rs"));
    }

    #[tokio::test]
    async fn a_step_that_does_not_panic_gives_its_output() {
        assert_eq!(catch(async { 7 }).await, Ok(7));
    }
}
