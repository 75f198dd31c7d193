"""A background training job that runs for days, resumes after being killed, and evaluates itself regularly."""
