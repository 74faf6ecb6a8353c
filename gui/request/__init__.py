"""What a run asks a person: the card of a question or an approval, and the screen that it is about."""
