"""Addresses of accounts and signing in."""

from __future__ import annotations

from django.urls import path

from tournament.accounts import views

public_urlpatterns = [
    path("sign-in/", views.SignIn.as_view(), name="sign_in"),
    path("sign-out/", views.SignOut.as_view(), name="sign_out"),
    path("sign-up/", views.sign_up, name="sign_up"),
    path("sign-up/sent/", views.sign_up_sent, name="sign_up_sent"),
    path("sign-up/<str:token>/", views.sign_up_finish, name="sign_up_finish"),
    path("account/", views.account, name="account"),
    path("account/password/", views.ChangePassword.as_view(), name="password_change"),
    path("account/sign-out/", views.sign_out_everywhere, name="sign_out_everywhere"),
    path("account/sign-out/<int:device>/", views.sign_out_device, name="sign_out_device"),
    path("password/", views.RequestPasswordReset.as_view(), name="password_forgotten"),
    path("password/sent/", views.PasswordResetSent.as_view(), name="password_sent"),
    path("password/<str:uidb64>/<str:token>/", views.SetNewPassword.as_view(), name="password_set"),
]
