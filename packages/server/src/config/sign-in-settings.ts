import { z } from 'zod';
import { someOf, wholeNumber } from './forms.ts';
import { OidcSettings } from './oidc-settings.ts';
import { setting } from './setting.ts';

export const SignInSettings = z.object({
  sessionIdleDays: setting(
    'MOONBASE_SESSION_IDLE_DAYS',
    wholeNumber(365, 1).prefault('7'),
    'Days without use after which a browser has to sign in again.',
  ),
  sessionMaxDays: setting(
    'MOONBASE_SESSION_MAX_DAYS',
    wholeNumber(365, 1).prefault('30'),
    'Days after which every browser has to sign in again.',
  ),
  passwordMin: setting(
    'MOONBASE_PASSWORD_MIN',
    wholeNumber(64, 8).prefault('15'),
    'Minimum length of a new password, in characters.',
  ),
  signInWays: setting(
    'MOONBASE_SIGN_IN',
    someOf(['password', 'token', 'oidc']).prefault('password,token,oidc'),
    'How people sign in, comma-separated: with a password (`password`), an access token (`token`), or the OpenID provider of the hub or of an organization (`oidc`). Links that set a password are for site administrators only where `password` is missing. See [identity.md](identity.md#ways-to-sign-in).',
  ),
  signUp: setting(
    'MOONBASE_SIGN_UP',
    z.enum(['invitation', 'closed']).prefault('invitation'),
    'How new people get an account: `invitation`: from a site administrator, from SCIM, or at the first sign-in with a provider that creates users; `closed`: at no sign-in, whatever providers are set to do.',
  ),
  secondFactor: setting(
    'MOONBASE_SECOND_FACTOR',
    z.enum(['optional', 'admins', 'all']).prefault('optional'),
    'Who needs a second factor to sign in with a password or a link: nobody (`optional`), site administrators (`admins`), or everybody (`all`). Whoever has none sets it up at the next sign-in. A sign-in with a provider counts as it is.',
  ),
  oidc: OidcSettings,
});
