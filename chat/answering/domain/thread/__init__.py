"""Follow-ups: what kind each is, whom its pronouns mean, and the question that it asks by itself. By English words."""
