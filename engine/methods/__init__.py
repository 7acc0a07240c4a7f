"""One package per method. They are found by looking into this folder; nothing lists them."""
