"""What the shipped models know of English: its words, and which embedders read nothing else."""
