"""A method that can be made slow, wrong or deadly, for tests of sweeps."""
