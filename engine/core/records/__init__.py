"""Records of runs: written as they happen, read back as they were. See `writer` for the folder's form."""
