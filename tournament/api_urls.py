"""Addresses of the API. The description at `/api/schema/` is served by the project's own addresses."""

from django.urls import path, re_path

from tournament.archive import api
from tournament.brackets import api as cut
from tournament.brackets import api_stages
from tournament.clock import api as clock
from tournament.closing import api as reports
from tournament.decklists.api import lists
from tournament.judging.api import views as judging
from tournament.leagues.api import changes as league_changes
from tournament.leagues.api import leagues
from tournament.log import api as log
from tournament.my_page.api import judging as my_page_judging
from tournament.my_page.api import lists as my_page_lists
from tournament.my_page.api import own
from tournament.pairing.api import drafts as stages
from tournament.pairing.api import rounds
from tournament.printing import api as sheets
from tournament.registration.api import arrivals, links, players
from tournament.results import api as results
from tournament.results import api_time_called
from tournament.setup.api import events
from tournament.staff import api as staff
from tournament.standings.api import groups, standings, table
from tournament.web import api_problems as problems

urlpatterns = [
    path("events/", events.Events.as_view(), name="api_events"),
    path("archives/", api.Archives.as_view(), name="api_archives"),
    path("events/<slug:slug>/", events.OneEvent.as_view(), name="api_event"),
    path("events/<slug:slug>/steps/<slug:step>/", events.EventStep.as_view(), name="api_step"),
    path("events/<slug:slug>/standings/", table.Standings.as_view(), name="api_standings"),
    path("events/<slug:slug>/standings/system/", standings.StandingsSystem.as_view(), name="api_system"),
    path("events/<slug:slug>/standings/outlooks/", standings.Outlooks.as_view(), name="api_outlooks"),
    path("events/<slug:slug>/standings/<int:number>/", standings.Arithmetic.as_view(), name="api_arithmetic"),
    path("events/<slug:slug>/cut/", cut.Cut.as_view(), name="api_cut"),
    path("events/<slug:slug>/log/", log.Log.as_view(), name="api_log"),
    path("events/<slug:slug>/log/<int:entry>/undo/", log.Undo.as_view(), name="api_undo"),
    path(
        "events/<slug:slug>/rounds/<int:stage>/<int:number>/restore/",
        log.Restore.as_view(),
        name="api_restore",
    ),
    path("events/<slug:slug>/archive/", api.Archive.as_view(), name="api_archive"),
    path("events/<slug:slug>/register/", players.Registration.as_view(), name="api_register"),
    path("events/<slug:slug>/players/", players.Players.as_view(), name="api_players"),
    path("events/<slug:slug>/players/missing/", arrivals.Missing.as_view(), name="api_missing"),
    path("events/<slug:slug>/players/table/", arrivals.PlayerTable.as_view(), name="api_player_table"),
    path("events/<slug:slug>/players/<int:number>/merge/", arrivals.PlayerMerge.as_view(), name="api_merge"),
    path("events/<slug:slug>/players/<int:number>/", players.OnePlayer.as_view(), name="api_player"),
    path("events/<slug:slug>/lists/", lists.Lists.as_view(), name="api_lists"),
    *(
        path(f"events/<slug:slug>/players/<int:number>/{rest}", view.as_view(), name=name)
        for rest, view, name in (
            ("list/", lists.PlayerList, "api_player_list"),
            ("list/difference/", lists.PlayerListDifference, "api_player_list_difference"),
            ("list/<int:version>/", lists.PlayerListVersion, "api_player_list_version"),
            ("list/<int:version>/ruling/", lists.PlayerListRuling, "api_player_list_ruling"),
            ("list/<int:version>/files/<slug:kind>/", lists.PlayerListFile, "api_player_list_file"),
            ("exchanges/", lists.PlayerExchanges, "api_player_exchanges"),
            ("exchanges/<int:check>/", lists.PlayerExchange, "api_player_exchange"),
            ("open-list/", lists.PlayerOpenList, "api_player_open_list"),
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
        links.PrivateLink.as_view(),
        name="api_private_link",
    ),
    path(
        "events/<slug:slug>/players/<int:number>/<slug:action>/",
        players.PlayerAction.as_view(),
        name="api_player_action",
    ),
    path("leagues/", leagues.Leagues.as_view(), name="api_leagues"),
    path("leagues/<slug:slug>/", leagues.OneLeague.as_view(), name="api_league"),
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
    path("events/<slug:slug>/stages/", api_stages.Stages.as_view(), name="api_stages"),
    path("events/<slug:slug>/groups/", groups.Groups.as_view(), name="api_groups"),
    path("events/<slug:slug>/characters/", reports.Characters.as_view(), name="api_characters"),
    path("events/<slug:slug>/prizes/", reports.Prizes.as_view(), name="api_prizes"),
    path("events/<slug:slug>/report/", reports.ClosingReport.as_view(), name="api_report"),
    path("events/<slug:slug>/ranking/", api_stages.Ranking.as_view(), name="api_ranking"),
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
        api_time_called.TableAtTime.as_view(),
        name="api_time",
    ),
    *(
        path(f"events/<slug:slug>/{rest}", view.as_view(), name=name)
        for rest, view, name in (
            ("penalties/", judging.Penalties, "api_penalties"),
            ("penalties/<int:penalty>/take-back/", judging.OnePenalty, "api_penalty_back"),
            ("deck-checks/", judging.DeckChecks, "api_deck_checks"),
            ("deck-checks/draws/", judging.CheckDraws, "api_check_draws"),
            ("deck-checks/<int:check>/", judging.OneDeckCheck, "api_deck_check"),
            ("deck-checks/<int:check>/<slug:action>/", judging.DeckCheckStep, "api_deck_check_step"),
            ("judge-calls/", judging.Calls, "api_judge_calls"),
            ("judge-calls/<int:call>/<slug:action>/", judging.CallStep, "api_judge_call_step"),
            ("rulings/", judging.TableRulings, "api_table_rulings"),
            ("sheets/", sheets.Sheets, "api_sheets"),
            ("sheets/<uuid:job_id>/", sheets.OneSheet, "api_sheet"),
            ("sheets/<uuid:job_id>/file/", sheets.SheetFile, "api_sheet_file"),
        )
    ),
    path("events/<slug:slug>/rounds/", rounds.Rounds.as_view(), name="api_rounds"),
    path("events/<slug:slug>/rounds/<int:stage>/<int:number>/", rounds.OneRound.as_view(), name="api_round"),
    path(
        "events/<slug:slug>/rounds/<int:stage>/<int:number>/<slug:action>/",
        rounds.RoundAction.as_view(),
        name="api_round_action",
    ),
    path(
        "events/<slug:slug>/matches/<int:match_id>/result/", results.MatchResult.as_view(), name="api_result"
    ),
    path(
        "events/<slug:slug>/matches/<int:match_id>/correction/",
        results.Correction.as_view(),
        name="api_correction",
    ),
    path("events/<slug:slug>/tables/", results.OpenTables.as_view(), name="api_tables"),
    path("me/<str:token>/", own.Own.as_view(), name="api_own"),
    *(
        path(f"me/<str:token>/{rest}", view.as_view(), name=name)
        for rest, view, name in (
            ("list/", my_page_lists.OwnList, "api_own_list"),
            ("list/check/", my_page_lists.OwnListCheck, "api_own_list_check"),
            ("list/difference/", my_page_lists.OwnListDifference, "api_own_list_difference"),
            ("list/answer/", my_page_lists.OwnListAnswer, "api_own_list_answer"),
            ("list/<int:version>/files/<slug:kind>/", my_page_lists.OwnListFile, "api_own_list_file"),
            ("players/<int:number>/list/", my_page_lists.OwnOpenList, "api_own_open_list"),
            ("judge-call/", my_page_judging.OwnCall, "api_own_call"),
            ("penalties/", my_page_judging.OwnPenalties, "api_own_penalties"),
        )
    ),
    path("me/<str:token>/result/", own.OwnResult.as_view(), name="api_own_result"),
    path("me/<str:token>/<slug:action>/", own.OwnAction.as_view(), name="api_own_action"),
    re_path(r"^", problems.nothing_here),
]
