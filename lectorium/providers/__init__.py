"""Models behind small protocols. Only this package imports model SDKs.

`protocols` says what each kind of model does, `registry` builds the configured ones, `errors` separates permanent from
transient faults, `stand_ins.guard` blocks real models and the network in tests. Every other module is one provider.
"""
