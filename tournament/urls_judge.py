"""Addresses of the judges' pages."""

from django.urls import path

from tournament.judging import views as checks

TABLE = "<slug:slug>/tables/<int:stage>/<int:number>/<int:table>/"

urlpatterns = [
    path("<slug:slug>/", checks.dashboard, name="judge"),
    path("<slug:slug>/find/", checks.find, name="judge_find"),
    path(TABLE, checks.table, name="judge_table"),
    path(f"{TABLE}lists/", checks.table_lists, name="judge_lists"),
    path(f"{TABLE}check/", checks.start_table_checks, name="judge_check_table"),
    path("<slug:slug>/players/<int:number>/", checks.player, name="judge_player"),
    path("<slug:slug>/players/<int:number>/check/", checks.start_deck_check, name="judge_begin_check"),
    path("<slug:slug>/players/<int:number>/penalty/", checks.give_penalty, name="judge_penalty"),
    path("<slug:slug>/penalties/", checks.penalty_list, name="judge_penalties"),
    path("<slug:slug>/penalties/<int:penalty>/back/", checks.undo_penalty, name="judge_penalty_back"),
    path("<slug:slug>/checks/", checks.deck_check_list, name="judge_checks"),
    path("<slug:slug>/checks/<int:check>/", checks.deck_check, name="judge_check"),
    path("<slug:slug>/checks/<int:check>/ticks/", checks.deck_check_ticks, name="judge_ticks"),
    path("<slug:slug>/checks/<int:check>/<slug:action>/", checks.deck_check_step, name="judge_check_step"),
    path("<slug:slug>/calls/<int:call>/<slug:action>/", checks.call, name="judge_call"),
]
