"""Who waits for a quick match."""

from __future__ import annotations

from django.db import models


class QuickQueue(models.Model):
    """Whoever looks for a match holds the row of its game, mode and time control for that moment.

    So two people who look at once come one after the other, and the second finds the first.
    """

    game = models.CharField(max_length=40)
    mode = models.CharField(max_length=40)
    time_control = models.CharField(max_length=8)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("game", "mode", "time_control"), name="quick_queue_once"
            ),
        )

    def __str__(self) -> str:
        return f"{self.game} {self.mode} {self.time_control}"
