"""The parts of `bench/chaos.py`: what is written, what it is written to, what is done to it, and what is left."""
