"""Addresses of the API. The description at `/api/schema/` is served by the project's own addresses."""

from django.urls import path, re_path

from tournament.archive import api
from tournament.brackets import api as cut
from tournament.clock import api as clock
from tournament.closing import api as reports
from tournament.decklists import api as decklists_api
from tournament.judging import api as judging
from tournament.leagues import api as league_changes
from tournament.log import api as log
from tournament.my_page import api as my_page_judging
from tournament.pairing import api as stages
from tournament.printing import api as sheets
from tournament.registration import api as registration_api
from tournament.results import api as results
from tournament.setup import api as setup_api
from tournament.staff import api as staff
from tournament.standings import api as standings_api
from tournament.web import api as problems

urlpatterns = [
    path("events/", setup_api.Events.as_view(), name="api_events"),
    path("archives/", api.Archives.as_view(), name="api_archives"),
    path("events/<slug:slug>/", setup_api.OneEvent.as_view(), name="api_event"),
    path("events/<slug:slug>/steps/<slug:step>/", setup_api.EventStep.as_view(), name="api_step"),
    path("events/<slug:slug>/standings/", standings_api.Standings.as_view(), name="api_standings"),
    path("events/<slug:slug>/standings/system/", standings_api.StandingsSystem.as_view(), name="api_system"),
    path("events/<slug:slug>/standings/outlooks/", standings_api.Outlooks.as_view(), name="api_outlooks"),
    path(
        "events/<slug:slug>/standings/<int:number>/",
        standings_api.TiebreakerCalculations.as_view(),
        name="api_arithmetic",
    ),
    path("events/<slug:slug>/cut/", cut.Cut.as_view(), name="api_cut"),
    path("events/<slug:slug>/log/", log.Log.as_view(), name="api_log"),
    path("events/<slug:slug>/log/<int:entry>/undo/", log.Undo.as_view(), name="api_undo"),
    path(
        "events/<slug:slug>/rounds/<int:stage>/<int:number>/restore/",
        log.Restore.as_view(),
        name="api_restore",
    ),
    path("events/<slug:slug>/archive/", api.Archive.as_view(), name="api_archive"),
    path("events/<slug:slug>/register/", registration_api.Registration.as_view(), name="api_register"),
    path("events/<slug:slug>/players/", registration_api.Players.as_view(), name="api_players"),
    path(
        "events/<slug:slug>/players/missing/",
        registration_api.NotCheckedInPlayers.as_view(),
        name="api_missing",
    ),
    path(
        "events/<slug:slug>/players/table/", registration_api.PlayerTable.as_view(), name="api_player_table"
    ),
    path(
        "events/<slug:slug>/players/<int:number>/merge/",
        registration_api.PlayerMerge.as_view(),
        name="api_merge",
    ),
    path("events/<slug:slug>/players/<int:number>/", registration_api.OnePlayer.as_view(), name="api_player"),
    path("events/<slug:slug>/lists/", decklists_api.EventDecklists.as_view(), name="api_lists"),
    *(
        path(f"events/<slug:slug>/players/<int:number>/{rest}", view.as_view(), name=name)
        for rest, view, name in (
            ("list/", decklists_api.PlayerList, "api_player_list"),
            ("list/difference/", decklists_api.PlayerListDifference, "api_player_list_difference"),
            ("list/<int:version>/", decklists_api.PlayerListVersion, "api_player_list_version"),
            ("list/<int:version>/ruling/", decklists_api.PlayerListRuling, "api_player_list_ruling"),
            ("list/<int:version>/files/<slug:kind>/", decklists_api.PlayerListFile, "api_player_list_file"),
            ("exchanges/", decklists_api.PlayerExchanges, "api_player_exchanges"),
            ("exchanges/<int:check>/", decklists_api.PlayerExchange, "api_player_exchange"),
            ("open-list/", decklists_api.PlayerOpenList, "api_player_open_list"),
        )
    ),
    path("events/<slug:slug>/players/<int:number>/leave/", results.Leave.as_view(), name="api_leave"),
    path(
        "events/<slug:slug>/players/<int:number>/pairing/",
        stages.PairingFacts.as_view(),
        name="api_pairing_facts",
    ),
    path(
        "events/<slug:slug>/players/<int:number>/private-link/",
        registration_api.PrivateLink.as_view(),
        name="api_private_link",
    ),
    path(
        "events/<slug:slug>/players/<int:number>/<slug:action>/",
        registration_api.PlayerAction.as_view(),
        name="api_player_action",
    ),
    path("leagues/", league_changes.Leagues.as_view(), name="api_leagues"),
    path("leagues/<slug:slug>/", league_changes.OneLeague.as_view(), name="api_league"),
    *(
        path(f"leagues/<slug:slug>/{rest}", view.as_view(), name=name)
        for rest, view, name in (
            ("events/", league_changes.LeagueEvents, "api_league_events"),
            ("events/<slug:event>/", league_changes.OneLeagueEvent, "api_league_event"),
            ("people/", league_changes.LeaguePeople, "api_league_people"),
            ("people/<int:word>/", league_changes.OneLeaguePerson, "api_league_person"),
            ("log/", league_changes.LeagueLog, "api_league_log"),
            ("log/<int:line>/undo/", league_changes.LeagueLogUndo, "api_league_undo"),
        )
    ),
    path("events/<slug:slug>/staff/", staff.Staff.as_view(), name="api_staff"),
    path("events/<slug:slug>/staff/<int:role>/", staff.OneRole.as_view(), name="api_role"),
    path("events/<slug:slug>/invitations/", staff.Invitations.as_view(), name="api_invitations"),
    path(
        "events/<slug:slug>/invitations/<int:invitation>/",
        staff.OneInvitation.as_view(),
        name="api_invitation",
    ),
    path("events/<slug:slug>/stages/", cut.Stages.as_view(), name="api_stages"),
    path("events/<slug:slug>/groups/", standings_api.Groups.as_view(), name="api_groups"),
    path("events/<slug:slug>/characters/", reports.Characters.as_view(), name="api_characters"),
    path("events/<slug:slug>/prizes/", reports.Prizes.as_view(), name="api_prizes"),
    path("events/<slug:slug>/report/", reports.ClosingReport.as_view(), name="api_report"),
    path("events/<slug:slug>/ranking/", cut.Ranking.as_view(), name="api_ranking"),
    path("events/<slug:slug>/forbidden-pairs/", stages.ForbiddenPairs.as_view(), name="api_forbidden_pairs"),
    path(
        "events/<slug:slug>/forbidden-pairs/<int:pair>/",
        stages.OneForbiddenPair.as_view(),
        name="api_forbidden_pair",
    ),
    path(
        "events/<slug:slug>/rounds/<int:stage>/<int:number>/changes/",
        stages.DraftChanges.as_view(),
        name="api_draft_changes",
    ),
    path("events/<slug:slug>/clock/", clock.Clock.as_view(), name="api_clock"),
    path("events/<slug:slug>/clock/settings/", clock.ClockOptions.as_view(), name="api_clock_options"),
    path("events/<slug:slug>/clock/<slug:act>/", clock.ClockAct.as_view(), name="api_clock_act"),
    path(
        "events/<slug:slug>/matches/<int:match_id>/time/",
        results.TableAtTime.as_view(),
        name="api_time",
    ),
    *(
        path(f"events/<slug:slug>/{rest}", view.as_view(), name=name)
        for rest, view, name in (
            ("penalties/", judging.Penalties, "api_penalties"),
            ("penalties/<int:penalty>/take-back/", judging.OnePenalty, "api_penalty_back"),
            ("deck-checks/", judging.DeckChecks, "api_deck_checks"),
            ("deck-checks/draws/", judging.DeckCheckDraws, "api_check_draws"),
            ("deck-checks/<int:check>/", judging.OneDeckCheck, "api_deck_check"),
            ("deck-checks/<int:check>/<slug:action>/", judging.DeckCheckStep, "api_deck_check_step"),
            ("judge-calls/", judging.JudgeCalls, "api_judge_calls"),
            ("judge-calls/<int:call>/<slug:action>/", judging.JudgeCallStep, "api_judge_call_step"),
            ("rulings/", judging.TableRulings, "api_table_rulings"),
            ("sheets/", sheets.Sheets, "api_sheets"),
            ("sheets/<uuid:job_id>/", sheets.OneSheet, "api_sheet"),
            ("sheets/<uuid:job_id>/file/", sheets.SheetFile, "api_sheet_file"),
        )
    ),
    path("events/<slug:slug>/rounds/", stages.Rounds.as_view(), name="api_rounds"),
    path("events/<slug:slug>/rounds/<int:stage>/<int:number>/", stages.OneRound.as_view(), name="api_round"),
    path(
        "events/<slug:slug>/rounds/<int:stage>/<int:number>/<slug:action>/",
        stages.RoundAction.as_view(),
        name="api_round_action",
    ),
    path(
        "events/<slug:slug>/matches/<int:match_id>/result/", results.MatchResult.as_view(), name="api_result"
    ),
    path(
        "events/<slug:slug>/matches/<int:match_id>/correction/",
        results.CorrectionPreview.as_view(),
        name="api_correction",
    ),
    path("events/<slug:slug>/tables/", results.OpenTables.as_view(), name="api_tables"),
    path("me/<str:token>/", my_page_judging.OwnStatus.as_view(), name="api_own"),
    *(
        path(f"me/<str:token>/{rest}", view.as_view(), name=name)
        for rest, view, name in (
            ("list/", my_page_judging.OwnList, "api_own_list"),
            ("list/check/", my_page_judging.OwnListCheck, "api_own_list_check"),
            ("list/difference/", my_page_judging.OwnListDifference, "api_own_list_difference"),
            ("list/answer/", my_page_judging.OwnListAnswer, "api_own_list_answer"),
            ("list/<int:version>/files/<slug:kind>/", my_page_judging.OwnListFile, "api_own_list_file"),
            ("players/<int:number>/list/", my_page_judging.OwnOpenList, "api_own_open_list"),
            ("judge-call/", my_page_judging.OwnCall, "api_own_call"),
            ("penalties/", my_page_judging.OwnPenalties, "api_own_penalties"),
        )
    ),
    path("me/<str:token>/result/", my_page_judging.OwnResult.as_view(), name="api_own_result"),
    path("me/<str:token>/<slug:action>/", my_page_judging.OwnAction.as_view(), name="api_own_action"),
    re_path(r"^", problems.not_found),
]
