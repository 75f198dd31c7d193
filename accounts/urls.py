from django.contrib.auth.views import LogoutView
from django.urls import path

from accounts import account_page, new_address, passwords, provider, sign_up
from accounts.sign_in import SignIn

urlpatterns = [
    path("login/", SignIn.as_view(), name="login"),
    path("logout/", LogoutView.as_view(), name="logout"),
    path("login/provider/", provider.provider_start, name="provider_start"),
    path("login/provider/callback/", provider.provider_callback, name="provider_callback"),
    path("sign-up/", sign_up.sign_up, name="sign_up"),
    path("sign-up/<str:token>/", sign_up.sign_up_finish, name="sign_up_finish"),
    path("invitation/<str:token>/", sign_up.invitation, name="invitation"),
    path("password/reset/", passwords.password_reset, name="password_reset"),
    path("password/reset/<uidb64>/<token>/", passwords.PasswordResetConfirm.as_view(), name="password_reset_confirm"),
    path("password/", passwords.PasswordChange.as_view(), name="password_change"),
    path("account/", account_page.account, name="account"),
    path("account/address/", new_address.new_address, name="new_address"),
    path("account/address/<str:token>/", new_address.new_address_confirm, name="new_address_confirm"),
    path("account/export.zip", account_page.account_export, name="account_export"),
    path("account/sign-out-everywhere", account_page.sign_out_everywhere, name="sign_out_everywhere"),
    path("account/delete/", account_page.account_delete_page, name="account_delete"),
]
