"""How far each class of question is released now: what the policy says, and what was decided since."""
