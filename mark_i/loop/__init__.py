"""What the loop calls: models, the outcome, evidence, and the detection of loops."""
