"""The algorithms of Papertab and the machinery that runs them. Nothing below here imports Qt."""
