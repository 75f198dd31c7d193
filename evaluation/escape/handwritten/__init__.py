"""Claims written by hand: what gets past the checks when whoever wrote the falsehoods has not read the guards.

Two authors wrote six or seven claims over each of 84 passages, true ones in other words and false ones close to the
passage's words. `dev.jsonl` is open to whoever tunes guards or a verifier. `unseen.jsonl` is only measured, never read,
and decides the hand-written bar (`lectorium.providers.handwritten_bar`). SOURCE.md names the authors of all texts.

`evaluate escape` reports them before the generated falsehoods; `evaluate verifier` measures one verifier on them.
"""
