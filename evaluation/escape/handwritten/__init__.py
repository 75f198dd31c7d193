"""Hand-written claims: what gets past the checks when the authors of the falsehoods have not read the guards.

Two authors wrote six or seven claims on each of 84 passages: true ones in other words, false ones close to the wording
of the passage. `dev.jsonl` may be used for tuning guards or a verifier. `unseen.jsonl` is only measured, never read,
and decides the hand-written bar (`lectorium.providers.handwritten_bar`). SOURCE.md names the authors of all texts.

`evaluate escape` reports them before the generated falsehoods; `evaluate verifier` measures one verifier on them.
"""
