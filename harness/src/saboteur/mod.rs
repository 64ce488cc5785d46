//! The saboteur: breaks a healthy server in one named way, to show that the suite notices.
