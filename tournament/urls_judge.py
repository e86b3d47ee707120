"""Addresses of the judges' pages."""

from django.urls import path

from tournament.judging.views import deck_checks as checks
from tournament.judging.views import desk, penalties

TABLE = "<slug:slug>/tables/<int:stage>/<int:number>/<int:table>/"

urlpatterns = [
    path("<slug:slug>/", desk.desk, name="judge"),
    path("<slug:slug>/find/", desk.find, name="judge_find"),
    path(TABLE, desk.table, name="judge_table"),
    path(f"{TABLE}lists/", desk.lists, name="judge_lists"),
    path(f"{TABLE}check/", desk.check_table, name="judge_check_table"),
    path("<slug:slug>/players/<int:number>/", desk.player, name="judge_player"),
    path("<slug:slug>/players/<int:number>/check/", checks.begin, name="judge_begin_check"),
    path("<slug:slug>/players/<int:number>/penalty/", penalties.give, name="judge_penalty"),
    path("<slug:slug>/penalties/", penalties.overview, name="judge_penalties"),
    path("<slug:slug>/penalties/<int:penalty>/back/", penalties.take_back, name="judge_penalty_back"),
    path("<slug:slug>/checks/", checks.overview, name="judge_checks"),
    path("<slug:slug>/checks/<int:check>/", checks.check, name="judge_check"),
    path("<slug:slug>/checks/<int:check>/ticks/", checks.ticks, name="judge_ticks"),
    path("<slug:slug>/checks/<int:check>/<slug:action>/", checks.take_step, name="judge_check_step"),
    path("<slug:slug>/calls/<int:call>/<slug:action>/", desk.call, name="judge_call"),
]
