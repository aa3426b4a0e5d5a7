import * as z from 'zod';

/** The scopes that an application may request, with the names of the public hub (I§2.3). */
export const OAUTH_SCOPES = [
  'openid',
  'profile',
  'email',
  'read-billing',
  'read-memberships',
  'read-repos',
  'gated-repos',
  'contribute-repos',
  'write-repos',
  'manage-repos',
  'read-collections',
  'write-collections',
  'inference-api',
  'read-endpoints',
  'write-endpoints',
  'jobs',
  'webhooks',
  'write-discussions',
] as const;

/** Further scopes of the hub's own applications, which no other application can request. */
const OWN_SCOPES = ['notifications', 'settings', 'manage-orgs'] as const;

export const OauthScope = z.enum(OAUTH_SCOPES);
export type OauthScope = z.infer<typeof OauthScope>;

/** The scopes that a user may have granted to an application. */
export const GRANTED_SCOPES = [...OAUTH_SCOPES, ...OWN_SCOPES] as const;
export const GrantedScope = z.enum(GRANTED_SCOPES);
export type GrantedScope = z.infer<typeof GrantedScope>;

/** A scope as the consent page shows it. */
export const ScopeShown = z.object({
  name: GrantedScope,
  description: z.string().meta({ description: 'An explanation of the scope for the user who decides.' }),
});
