"""English, by rules over a sentence that spaCy parsed. No Redis, no clock."""
