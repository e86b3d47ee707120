"""Addresses of judging."""

from __future__ import annotations

from django.urls import path

from tournament.judging import api
from tournament.judging.views import checks, desk, penalties, tables

judge_urlpatterns = [
    path("<slug:slug>/", desk.dashboard, name="judge"),
    path("<slug:slug>/find/", desk.find, name="judge_find"),
    path("<slug:slug>/tables/<int:stage>/<int:number>/<int:table>/", tables.table, name="judge_table"),
    path(
        "<slug:slug>/tables/<int:stage>/<int:number>/<int:table>/lists/",
        tables.table_lists,
        name="judge_lists",
    ),
    path(
        "<slug:slug>/tables/<int:stage>/<int:number>/<int:table>/check/",
        tables.start_table_checks,
        name="judge_check_table",
    ),
    path(
        "<slug:slug>/tables/<int:stage>/<int:number>/<int:table>/time/",
        tables.extend_time,
        name="judge_extend",
    ),
    path("<slug:slug>/players/<int:number>/", tables.player, name="judge_player"),
    path("<slug:slug>/players/<int:number>/check/", checks.start_deck_check, name="judge_begin_check"),
    path("<slug:slug>/players/<int:number>/penalty/", penalties.give_penalty, name="judge_penalty"),
    path("<slug:slug>/penalties/", penalties.penalty_list, name="judge_penalties"),
    path("<slug:slug>/penalties/<int:penalty>/back/", penalties.undo_penalty, name="judge_penalty_back"),
    path("<slug:slug>/checks/", checks.deck_check_list, name="judge_checks"),
    path("<slug:slug>/checks/<int:check>/", checks.deck_check, name="judge_check"),
    path("<slug:slug>/checks/<int:check>/ticks/", checks.deck_check_ticks, name="judge_ticks"),
    path("<slug:slug>/checks/<int:check>/<slug:action>/", checks.deck_check_step, name="judge_check_step"),
    path("<slug:slug>/calls/<int:call>/<slug:action>/", desk.call, name="judge_call"),
]

api_urlpatterns = [
    path("events/<slug:slug>/penalties/", api.Penalties.as_view(), name="api_penalties"),
    path(
        "events/<slug:slug>/penalties/<int:penalty>/take-back/",
        api.OnePenalty.as_view(),
        name="api_penalty_back",
    ),
    path("events/<slug:slug>/deck-checks/", api.DeckChecks.as_view(), name="api_deck_checks"),
    path("events/<slug:slug>/deck-checks/draws/", api.DeckCheckDraws.as_view(), name="api_check_draws"),
    path("events/<slug:slug>/deck-checks/<int:check>/", api.OneDeckCheck.as_view(), name="api_deck_check"),
    path(
        "events/<slug:slug>/deck-checks/<int:check>/<slug:action>/",
        api.DeckCheckStep.as_view(),
        name="api_deck_check_step",
    ),
    path("events/<slug:slug>/judge-calls/", api.JudgeCalls.as_view(), name="api_judge_calls"),
    path(
        "events/<slug:slug>/judge-calls/<int:call>/<slug:action>/",
        api.JudgeCallStep.as_view(),
        name="api_judge_call_step",
    ),
    path("events/<slug:slug>/rulings/", api.TableRulings.as_view(), name="api_table_rulings"),
]
