"""The package itself: light to list, complete in its names."""

import subprocess
import sys

import pytest

import engine.methods.linkage as linkage


def test_listing_imports_nothing_heavy():
    code = (
        "import sys, engine.methods.linkage as l; assert len(l.__all__) > 60; dir(l); l.plan; "
        "heavy = {'numba', 'scipy', 'sklearn', 'torch', 'pandas', 'matplotlib'} & set(sys.modules); "
        "print(sorted(heavy))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_every_public_name_loads_and_is_documented():
    for name in linkage.__all__:
        value = getattr(linkage, name)
        if callable(value):
            assert value.__doc__, name


def test_unknown_names_are_attribute_errors():
    with pytest.raises(AttributeError, match="no attribute 'slink'"):
        _ = linkage.slink
