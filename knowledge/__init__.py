"""What claims, facts, persons and instructions are: value types and pure functions over them. No I/O, no clock."""
