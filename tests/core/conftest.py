"""The stage of `test_batch` is there for all tests of the core; none of them is judged by its seconds."""

from hypothesis import HealthCheck, settings

from tests.core.test_batch import stage

__all__ = ["stage"]

settings.register_profile("unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("unhurried")
