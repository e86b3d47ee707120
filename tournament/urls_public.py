"""Addresses of the public pages and of signing in."""

from django.urls import path

from tournament.accounts.views import account
from tournament.accounts.views import sign_in as accounts
from tournament.brackets.views import public as brackets_public
from tournament.closing.views import report as reports
from tournament.my_page.views import phone_app as phone
from tournament.pairing.views import public as pairing_public
from tournament.public import views as public
from tournament.registration.views import badge_code as badges
from tournament.registration.views import public as registration_public
from tournament.registration.views import register as registering
from tournament.screens import views as screen
from tournament.staff import views as staff
from tournament.standings.views import public as standings_public

urlpatterns = [
    path("", public.home, name="home"),
    path("sign-in/", accounts.SignIn.as_view(), name="sign_in"),
    path("sign-out/", accounts.SignOut.as_view(), name="sign_out"),
    path("sign-up/", accounts.sign_up, name="sign_up"),
    path("sign-up/sent/", accounts.sign_up_sent, name="sign_up_sent"),
    path("sign-up/<str:token>/", accounts.sign_up_finish, name="sign_up_finish"),
    path("account/", account.account, name="account"),
    path("account/password/", account.ChangePassword.as_view(), name="password_change"),
    path("account/sign-out/", account.sign_out_everywhere, name="sign_out_everywhere"),
    path("account/sign-out/<int:device>/", account.sign_out_device, name="sign_out_device"),
    path("password/", account.AskForPassword.as_view(), name="password_forgotten"),
    path("password/sent/", account.PasswordSent.as_view(), name="password_sent"),
    path("password/<str:uidb64>/<str:token>/", account.SetPassword.as_view(), name="password_set"),
    path("join/<str:token>/", staff.join, name="join"),
    path("styleguide/", public.styleguide, name="styleguide"),
    path("keyboard/", public.keyboard, name="keyboard"),
    path("player-worker.js", phone.worker, name="player_worker"),
    path("offline/", phone.offline, name="offline"),
    path("robots.txt", public.robots, name="robots"),
    path("e/<slug:slug>/", public.event, name="event"),
    path("e/<slug:slug>/version", public.version, name="event_version"),
    path("e/<slug:slug>/me/", public.my_page, name="my_page"),
    path("e/<slug:slug>/register/", registering.register, name="register"),
    path("e/<slug:slug>/register.png", registering.code, name="register_code"),
    path("e/<slug:slug>/players/", registration_public.players, name="players"),
    path("e/<slug:slug>/players/<int:number>/", public.player_record, name="player_record"),
    path("e/<slug:slug>/players/<int:number>/badge.png", badges.code, name="badge_code"),
    path("e/<slug:slug>/pairings/", pairing_public.pairings, name="pairings"),
    path("e/<slug:slug>/pairings/<int:number>/", pairing_public.pairings, name="pairings_round"),
    path("e/<slug:slug>/matches/<int:match_id>/", pairing_public.match, name="match"),
    path("e/<slug:slug>/groups/", standings_public.groups, name="groups"),
    path("e/<slug:slug>/characters/", reports.characters, name="characters"),
    path("e/<slug:slug>/report/", reports.closing, name="report"),
    path("e/<slug:slug>/report.csv", reports.closing_csv, name="report_csv"),
    path("e/<slug:slug>/ranking/", brackets_public.ranking, name="ranking"),
    path("e/<slug:slug>/standings/", standings_public.standings, name="standings"),
    path("e/<slug:slug>/standings/<int:number>/", standings_public.standings, name="standings_round"),
    path("e/<slug:slug>/cut/", brackets_public.cut, name="cut"),
    path("e/<slug:slug>/screen/", screen.choose, name="screens"),
    path("e/<slug:slug>/screen/<str:views>/", screen.show, name="screen"),
    path("e/<slug:slug>/bracket/", brackets_public.bracket, name="bracket"),
]
