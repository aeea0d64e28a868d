"""The parts of the `contract` module: one class per item type, the host they act on, and their record on it."""
