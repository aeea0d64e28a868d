"""What the `contract` module is made of: one class per item type, the host they act on, the record they leave there."""
