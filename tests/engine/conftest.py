"""Settings for all tests of the engine: the same examples every time, and a numeric warning is a failure."""
from hypothesis import HealthCheck, Phase, settings

settings.register_profile("lab", deadline=None, derandomize=True, database=None, max_examples=40,
                          phases=[Phase.explicit, Phase.generate, Phase.shrink], suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("lab")


def pytest_configure(config):
    config.addinivalue_line("filterwarnings", "error::RuntimeWarning")      # NumPy's overflow, division and invalid value
