"""A throw-away method: a random walk. Dropped into a folder, it is a whole tab."""
