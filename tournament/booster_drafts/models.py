"""The pods of a booster draft: how they were seated, and who sits where."""

from __future__ import annotations

from django.db import models


class PodSeating(models.Model):
    """The seating of the draft pods of an event.

    The same seed and players give the same seats.
    """

    event = models.OneToOneField("tournament.Event", on_delete=models.CASCADE, related_name="pod_seating")
    seed = models.BigIntegerField()
    attempt = models.PositiveSmallIntegerField(default=1)
    size = models.PositiveSmallIntegerField(help_text="The players per pod that staff asked for.")
    seated_at = models.DateTimeField()

    class Meta:
        verbose_name = "seating of draft pods"

    def __str__(self) -> str:
        return f"{self.event}: {self.attempt}"


class PodSeat(models.Model):
    """A player's seat in a pod; seats are numbered clockwise from 1."""

    event = models.ForeignKey("tournament.Event", on_delete=models.CASCADE, related_name="pod_seats")
    player = models.OneToOneField("tournament.Player", on_delete=models.CASCADE, related_name="pod_seat")
    pod = models.PositiveSmallIntegerField()
    seat = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["pod", "seat"]
        verbose_name = "seat in a draft pod"
        constraints = [
            models.UniqueConstraint(fields=["event", "pod", "seat"], name="one_player_per_pod_seat"),
            models.CheckConstraint(
                name="pod_seats_start_at_one", condition=models.Q(pod__gte=1, seat__gte=1)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player}: {self.pod}/{self.seat}"
