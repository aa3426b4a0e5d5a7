import * as z from 'zod';
import { issuerFault } from '../platform/outbound/issuer.ts';
import { flag, optional, text } from './forms.ts';
import { secret, setting } from './setting.ts';

const issuer = text.superRefine((url, context) => {
  const fault = issuerFault(url);
  if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
});

/** Words, separated by commas. */
const list = text.transform((value) =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
);

const domains = list.transform((names) => names.map((name) => name.toLowerCase()));

export const OidcSettings = z.object({
  issuer: setting(
    'MOONBASE_OIDC_ISSUER',
    optional(issuer),
    'Issuer of the OpenID provider that people sign in with, exactly as the provider writes it, such as `https://login.example.com/realms/staff`. Needs `MOONBASE_OIDC_CLIENT_ID` and `MOONBASE_PUBLIC_URL`. See [identity.md](identity.md#a-provider-for-the-whole-hub).',
    'none: people sign in with passwords',
  ),
  clientId: setting('MOONBASE_OIDC_CLIENT_ID', optional(text), 'Id of the hub at the provider.'),
  clientSecret: secret(
    'MOONBASE_OIDC_CLIENT_SECRET',
    optional(text),
    'Secret of the hub at the provider.',
    'none: the hub is a public client, with PKCE alone',
  ),
  name: setting('MOONBASE_OIDC_NAME', optional(text), 'Name of the provider on the sign-in page.', 'its host'),
  scopes: setting(
    'MOONBASE_OIDC_SCOPES',
    text.prefault('openid profile email'),
    'Scopes that the hub asks for, separated by blanks; `openid` is always asked for.',
  ),
  subjectClaim: setting(
    'MOONBASE_OIDC_SUBJECT_CLAIM',
    text.prefault('sub'),
    'Claim by which a person is known: `oid` for Entra ID, so that SCIM and sign-in mean the same.',
  ),
  usernameClaim: setting(
    'MOONBASE_OIDC_USERNAME_CLAIM',
    text.prefault('preferred_username'),
    'Claim that a new account is named after.',
  ),
  groupsClaim: setting(
    'MOONBASE_OIDC_GROUPS_CLAIM',
    text.prefault('groups'),
    'Claim that lists the groups of a person; dots lead into it, as in `realm_access.roles`.',
  ),
  allowedDomains: setting(
    'MOONBASE_OIDC_ALLOWED_DOMAINS',
    domains.default([]),
    'Domains, comma-separated, one of which the confirmed e-mail address of a person must have; where the provider sends `hd`, as Google does, that claim decides.',
  ),
  allowedGroups: setting(
    'MOONBASE_OIDC_ALLOWED_GROUPS',
    list.default([]),
    'Groups, comma-separated, one of which a person must be in.',
  ),
  adminGroup: setting(
    'MOONBASE_OIDC_ADMIN_GROUP',
    optional(text),
    'Group whose people are site administrators, looked at each time they sign in; the last site administrator stays one.',
    'the provider makes nobody an administrator',
  ),
  createUsers: setting(
    'MOONBASE_OIDC_CREATE_USERS',
    flag.prefault('true'),
    'Whether a person without an account gets one at the first sign-in.',
  ),
  linkByEmail: setting(
    'MOONBASE_OIDC_LINK_BY_EMAIL',
    flag.prefault('false'),
    'Whether a first sign-in may take over an account with the same address: only one that the provider says is confirmed, of an account that confirmed it too and has neither password nor another identity.',
  ),
  auto: setting(
    'MOONBASE_OIDC_AUTO',
    flag.prefault('false'),
    'Whether the sign-in page goes to the provider by itself. `/login?auto=false` shows the other ways.',
  ),
  scimOrganizations: setting(
    'MOONBASE_OIDC_SCIM_ORGANIZATIONS',
    list.default([]),
    'Organizations, comma-separated, whose SCIM is fed by the same provider: the accounts that it made are found by their `externalId`.',
  ),
});
