import * as z from 'zod';
import { someOf, text, wholeNumber } from './forms.ts';
import { OidcSettings } from './oidc-settings.ts';
import { setting } from './setting.ts';

const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])$/;

/** A word, or the mail domains whose people may sign up. */
const signUp = text
  .transform((value) => {
    const parts = value.split(',').map((part) => part.trim().toLowerCase());
    const [word] = parts;
    return parts.length === 1 && (word === 'invitation' || word === 'closed') ? word : parts;
  })
  .refine(
    (value) => typeof value === 'string' || value.every((domain) => DOMAIN.test(domain)),
    'must be invitation, closed, or mail domains, separated by commas',
  );

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
    signUp.prefault('invitation'),
    'How new people get an account: `invitation`: from a site administrator, from SCIM, or at the first sign-in with a provider that creates users; `closed`: at no sign-in, whatever providers are set to do; mail domains, comma-separated, such as `example.com`: as with `invitation`, and whoever confirms an address at one of them signs up with a password. Mail domains need `MOONBASE_SMTP_URL` and `MOONBASE_PUBLIC_URL`. See [identity.md](identity.md#signing-up).',
  ),
  secondFactor: setting(
    'MOONBASE_SECOND_FACTOR',
    z.enum(['optional', 'admins', 'all']).prefault('optional'),
    'Who needs a second factor to sign in with a password or a link: nobody (`optional`), site administrators (`admins`), or everybody (`all`). Whoever has none sets it up at the next sign-in. A sign-in with a provider counts as it is.',
  ),
  oidc: OidcSettings,
});
