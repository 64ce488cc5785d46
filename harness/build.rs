//! Rebuilds the harness when a specification or fixture file is added, since both are carried inside the program.

fn main() {
    println!("cargo:rerun-if-changed=../features");
    println!("cargo:rerun-if-changed=../fixtures");
}
