"""The words that correct what stands: undo, rewind, amend, modify, overrule, and corrections in few words."""
