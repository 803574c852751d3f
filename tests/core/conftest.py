"""The stage of `test_batch` is there for all tests of the core."""

from tests.core.test_batch import stage

__all__ = ["stage"]
