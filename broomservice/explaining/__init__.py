"""Why an option is open or not, what would come of it, and what happened without a question."""
