//! The specification fits together: requirements, scenarios, steps and faults, as they are carried inside the program.

use proofmark::{
    catalogue::{Catalogue, Weight, check},
    suite::Vocabulary,
};

#[test]
fn requirements_scenarios_steps_and_faults_fit_together() {
    let catalogue = Catalogue::embedded().unwrap();
    let problems = check::problems(&catalogue, &Vocabulary::of_the_harness());
    let of = |weight: Weight| -> Vec<&str> {
        problems
            .iter()
            .filter(|problem| problem.weight == weight)
            .map(|problem| problem.message.as_str())
            .collect()
    };
    for warning in of(Weight::Warning) {
        println!("warning: {warning}");
    }
    let errors = of(Weight::Error);
    assert!(errors.is_empty(), "{}", errors.join("\n"));
}

#[test]
fn steps_are_found_in_the_library() {
    assert!(!Vocabulary::of_the_harness().phrases().is_empty());
}
