"""Settings with which ``migrate`` makes tables from the models, as if there were no migrations."""

from config.settings import *  # noqa: F403


class FromModels:
    """No app has migrations."""

    def __contains__(self, app: str) -> bool:
        return True

    def __getitem__(self, app: str) -> None:
        return None


MIGRATION_MODULES = FromModels()
