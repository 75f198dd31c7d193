"""Which model does which job: rows edited in admin, with prompts, budgets and what was used.

`jobs` names the jobs, `selectors.chain` resolves one, `calling.stream` calls what was resolved and counts it, `prompts`
fills templates. It stands between the providers and every app that asks a model.
"""
