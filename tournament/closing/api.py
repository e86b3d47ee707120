"""API of prizes, played characters and the closing report."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from decks.shared.api_requests import StrictSerializer
from tournament.access.permissions import Right
from tournament.brackets.api_shapes import RankedSerializer
from tournament.closing.selectors import CharacterShare, PlayerAward, character_breakdown, closing_report
from tournament.closing.services import set_prizes
from tournament.engine.prizes import Prize
from tournament.shared.awards import LAST_PLACE, MAX_PRIZE_LENGTH, load_prizes
from tournament.web.api import READ_REFUSALS, REFUSALS, EventView

REPORT_LISTS = ("ranking", "without_place", "awards", "unclaimed", "characters")


class PrizeSerializer(StrictSerializer):
    """A prize for each place from `first` to `last`, or for the `best` player of a character."""

    words = serializers.CharField(max_length=MAX_PRIZE_LENGTH)
    first = serializers.IntegerField(min_value=1, max_value=LAST_PLACE, required=False)
    last = serializers.IntegerField(min_value=1, max_value=LAST_PLACE, required=False)
    best = serializers.CharField(max_length=80, required=False)


class AwardSerializer(StrictSerializer):
    """A prize and the numbers of the players who win it. They share if there are too few pieces."""

    prize = PrizeSerializer()
    players = serializers.ListField(child=serializers.IntegerField())
    pieces = serializers.IntegerField()
    is_shared = serializers.BooleanField()


class ShareSerializer(StrictSerializer):
    """Statistics of one character. Shares and rates are fractions."""

    character = serializers.CharField()
    players = serializers.IntegerField()
    share = serializers.CharField()
    won = serializers.IntegerField()
    lost = serializers.IntegerField()
    drawn = serializers.IntegerField()
    win_rate = serializers.CharField(allow_null=True)
    in_cut = serializers.ListField(child=serializers.CharField())


class ClosingReportSerializer(StrictSerializer):
    """The closing report. During the event, `is_over` is false and all else is empty."""

    is_over = serializers.BooleanField()
    players = serializers.IntegerField()
    rounds = serializers.IntegerField()
    matches = serializers.IntegerField()
    dropped = serializers.IntegerField()
    ranking = RankedSerializer(many=True)
    without_place = serializers.ListField(
        child=serializers.IntegerField(), help_text="Numbers of players without a place, prize or points."
    )
    awards = AwardSerializer(many=True)
    unclaimed = PrizeSerializer(many=True)
    characters = ShareSerializer(many=True)


class Prizes(EventView):
    """The prizes of an event."""

    @extend_schema(
        summary="List the prizes of an event", responses={200: PrizeSerializer(many=True), **READ_REFUSALS}
    )
    def get(self, request: Request, slug: str) -> Response:
        return Response([_prize(prize) for prize in load_prizes(self.event().prizes)])

    @extend_schema(
        summary="Announce the prizes of an event",
        request=PrizeSerializer(many=True),
        responses={200: PrizeSerializer(many=True), **REFUSALS},
    )
    def put(self, request: Request, slug: str) -> Response:
        event = self.event(Right.MANAGE)
        serializer = PrizeSerializer(data=request.data, many=True)
        serializer.is_valid(raise_exception=True)
        return Response([_prize(prize) for prize in set_prizes(event, self.actor, serializer.validated_data)])


class Characters(EventView):
    """Statistics of the characters that are played."""

    @extend_schema(
        summary="Show results by character (empty while characters are secret)",
        responses={200: ShareSerializer(many=True), **READ_REFUSALS},
    )
    def get(self, request: Request, slug: str) -> Response:
        breakdown = character_breakdown(self.event())
        return Response([_share(share) for share in breakdown.shares] if breakdown else [])


class ClosingReport(EventView):
    """The closing report of an event."""

    @extend_schema(
        summary="Show the closing report", responses={200: ClosingReportSerializer, **READ_REFUSALS}
    )
    def get(self, request: Request, slug: str) -> Response:
        event = self.event()
        report, breakdown = closing_report(event), character_breakdown(event)
        if report is None:
            empty_lists: dict[str, object] = {key: [] for key in REPORT_LISTS}
            return Response(
                {"is_over": False, "players": 0, "rounds": 0, "matches": 0, "dropped": 0, **empty_lists}
            )
        return Response(
            {
                "is_over": True,
                "players": report.players,
                "rounds": report.rounds,
                "matches": report.matches,
                "dropped": report.dropped,
                "ranking": RankedSerializer(report.ranking, many=True).data,
                "without_place": [player.number for player in report.without_place],
                "awards": [_award(award) for award in report.awards],
                "unclaimed": [_prize(prize) for prize in report.unclaimed],
                "characters": [_share(share) for share in breakdown.shares] if breakdown else [],
            }
        )


def _prize(prize: Prize) -> dict[str, object]:
    if prize.best:
        return {"best": prize.best, "words": prize.words}
    return {"first": prize.first, "last": prize.last, "words": prize.words}


def _award(award: PlayerAward) -> dict[str, object]:
    return {
        "prize": _prize(award.prize),
        "players": [player.number for player in award.players],
        "pieces": award.pieces,
        "is_shared": award.is_shared,
    }


def _share(share: CharacterShare) -> dict[str, object]:
    return {
        "character": share.character,
        "players": share.players,
        "share": str(share.share),
        "won": share.won,
        "lost": share.lost,
        "drawn": share.drawn,
        "win_rate": None if share.rate is None else str(share.rate),
        "in_cut": list(share.in_cut),
    }
