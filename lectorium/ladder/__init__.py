"""Which model does which job: rows edited in admin, with prompts, budgets and usage.

`jobs` lists the jobs, `selectors.chain` resolves one, `calling.stream` calls the resolved model and counts it,
`prompts` fills templates.
"""
