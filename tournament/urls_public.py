"""Addresses of the public pages and of signing in."""

from django.urls import path

from tournament.accounts import views as accounts_views
from tournament.brackets import views as brackets_public
from tournament.closing import views as reports
from tournament.my_page import views as phone
from tournament.pairing import views as pairing_public
from tournament.public import views as public
from tournament.registration.views import public as badges
from tournament.screens import views as screen
from tournament.staff import views as staff
from tournament.standings import views as standings_public

urlpatterns = [
    path("", public.home, name="home"),
    path("sign-in/", accounts_views.SignIn.as_view(), name="sign_in"),
    path("sign-out/", accounts_views.SignOut.as_view(), name="sign_out"),
    path("sign-up/", accounts_views.sign_up, name="sign_up"),
    path("sign-up/sent/", accounts_views.sign_up_sent, name="sign_up_sent"),
    path("sign-up/<str:token>/", accounts_views.sign_up_finish, name="sign_up_finish"),
    path("account/", accounts_views.account, name="account"),
    path("account/password/", accounts_views.ChangePassword.as_view(), name="password_change"),
    path("account/sign-out/", accounts_views.sign_out_everywhere, name="sign_out_everywhere"),
    path("account/sign-out/<int:device>/", accounts_views.sign_out_device, name="sign_out_device"),
    path("password/", accounts_views.RequestPasswordReset.as_view(), name="password_forgotten"),
    path("password/sent/", accounts_views.PasswordResetSent.as_view(), name="password_sent"),
    path("password/<str:uidb64>/<str:token>/", accounts_views.SetNewPassword.as_view(), name="password_set"),
    path("join/<str:token>/", staff.join, name="join"),
    path("styleguide/", public.styleguide, name="styleguide"),
    path("keyboard/", public.keyboard, name="keyboard"),
    path("player-worker.js", phone.service_worker, name="player_worker"),
    path("offline/", phone.offline_page, name="offline"),
    path("robots.txt", public.robots, name="robots"),
    path("e/<slug:slug>/", public.event, name="event"),
    path("e/<slug:slug>/version", public.event_version, name="event_version"),
    path("e/<slug:slug>/me/", public.go_to_my_page, name="my_page"),
    path("e/<slug:slug>/register/", badges.register, name="register"),
    path("e/<slug:slug>/register.png", badges.register_qr_code, name="register_code"),
    path("e/<slug:slug>/players/", badges.players, name="players"),
    path("e/<slug:slug>/players/<int:number>/", public.player_record, name="player_record"),
    path("e/<slug:slug>/players/<int:number>/badge.png", badges.badge_qr_code, name="badge_code"),
    path("e/<slug:slug>/pairings/", pairing_public.public_pairings, name="pairings"),
    path("e/<slug:slug>/pairings/<int:number>/", pairing_public.public_pairings, name="pairings_round"),
    path("e/<slug:slug>/matches/<int:match_id>/", pairing_public.public_match, name="match"),
    path("e/<slug:slug>/groups/", standings_public.public_groups, name="groups"),
    path("e/<slug:slug>/characters/", reports.characters, name="characters"),
    path("e/<slug:slug>/report/", reports.event_report, name="report"),
    path("e/<slug:slug>/report.csv", reports.event_report_csv, name="report_csv"),
    path("e/<slug:slug>/ranking/", brackets_public.public_ranking, name="ranking"),
    path("e/<slug:slug>/standings/", standings_public.public_standings, name="standings"),
    path("e/<slug:slug>/standings/<int:number>/", standings_public.public_standings, name="standings_round"),
    path("e/<slug:slug>/cut/", brackets_public.public_cut, name="cut"),
    path("e/<slug:slug>/screen/", screen.screen_list, name="screens"),
    path("e/<slug:slug>/screen/<str:views>/", screen.screen_page, name="screen"),
    path("e/<slug:slug>/bracket/", brackets_public.public_bracket, name="bracket"),
]
