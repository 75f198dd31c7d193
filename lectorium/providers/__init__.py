"""Models behind small protocols: the only package that imports a model SDK.

`protocols` says what each kind of model does, `registry` builds the configured one once a process,
`errors` tells permanent faults from transient ones, `guard` forbids real models and the network in tests.
Every other module is one short file about one provider.
"""
