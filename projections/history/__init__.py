"""What is known of the whole log: which entries stand, what the dice hang on, which secrets were told later."""
