import * as z from 'zod';
import { ObjectId, Success, Timestamp } from '../primitives.ts';
import { defineRoute } from '../route.ts';
import { SignedIn } from './authentication.ts';

const tags = ['auth'];
const foreign = 'The request comes from a page of another origin.';
const unavailable = 'The provider does not answer.';

const Wish = {
  organization: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .meta({ description: 'The organization that owns the provider; absent: the provider of the hub.' }),
  returnTo: z
    .string()
    .max(2000)
    .optional()
    .meta({ description: 'A value that is returned when the sign-in is finished.' }),
};

const Begun = z.object({
  url: z.string().meta({ description: 'The address at the provider to which the browser must go.' }),
});

export const beginSingleSignOn = defineRoute({
  id: 'beginSingleSignOn',
  method: 'POST',
  path: '/api/sign-in/provider',
  summary: 'Begin to sign in with an OpenID provider',
  description:
    'For pages of the hub. A cookie binds the response of the provider to this browser for ten minutes; a browser may have ' +
    'five pending sign-ins. With `again` the provider is asked to prompt the user again.',
  tags,
  authority: 'public',
  body: z.object({ ...Wish, again: z.boolean().optional() }),
  answers: { 200: Begun },
  otherAnswers: { 403: foreign, 404: 'There is no such provider.', 502: unavailable },
});

export const finishSingleSignOn = defineRoute({
  id: 'finishSingleSignOn',
  method: 'POST',
  path: '/api/sign-in/provider/finish',
  summary: 'Finish signing in with an OpenID provider',
  description:
    'With the path and query to which the provider redirected the browser. Works once, in the browser that began the ' +
    'sign-in. The account is found by issuer and subject or by SCIM data, or created.',
  tags,
  authority: 'public',
  body: z.object({ path: z.string().min(1).max(16_000) }),
  answers: {
    200: z.object({
      user: SignedIn.shape.user,
      expiresAt: SignedIn.shape.expiresAt.optional(),
      returnTo: z.string(),
      linked: z
        .boolean()
        .meta({ description: 'Whether an identity was linked to the account of the session, which continues.' }),
    }),
  },
  otherAnswers: {
    401: 'What the provider said cannot be believed.',
    403: 'The page is of another origin, or the person may not sign in.',
    502: unavailable,
  },
});

/** The identity of a user at an OpenID provider. */
export const Identity = z
  .object({
    id: ObjectId,
    issuer: z.string(),
    organization: z
      .string()
      .optional()
      .meta({ description: 'The organization that owns the provider; absent: the provider of the hub.' }),
    email: z.string().optional().meta({ description: 'The latest address from the provider, confirmed or not.' }),
    createdAt: Timestamp,
    usedAt: Timestamp,
  })
  .meta({ id: 'Identity' });
export type Identity = z.infer<typeof Identity>;

export const listIdentities = defineRoute({
  id: 'listIdentities',
  method: 'GET',
  path: '/api/settings/identities',
  summary: 'List the identities of the caller at OpenID providers, oldest first',
  tags: ['users'],
  authority: 'user.settings.read',
  answers: { 200: z.array(Identity) },
});

export const linkIdentity = defineRoute({
  id: 'linkIdentity',
  method: 'POST',
  path: '/api/settings/identities',
  summary: 'Begin to link an OpenID provider to the account of the caller',
  description:
    'For a browser in which the user is signed in; `current` is the password, which is required unless the session is ' +
    'younger than ten minutes. Linking is finished like a sign-in.',
  tags: ['users'],
  authority: 'user.settings.write',
  body: z.object({ ...Wish, current: z.string().min(1).max(1024).optional() }),
  answers: { 200: Begun },
  otherAnswers: {
    404: 'There is no such provider.',
    429: 'Too many failed attempts; `Retry-After` says when to try again.',
    502: unavailable,
  },
});

export const unlinkIdentity = defineRoute({
  id: 'unlinkIdentity',
  method: 'DELETE',
  path: '/api/settings/identities/{identityId}',
  summary: 'Unlink an identity of the caller',
  description:
    'For a browser in which the user signed in within the last ten minutes. 409 if the identity is the caller’s only way to ' +
    'sign in. Sessions continue.',
  tags: ['users'],
  authority: 'user.settings.write',
  params: z.object({ identityId: z.string() }),
  answers: { 200: Success },
  otherAnswers: {
    403: 'With the code `RecentSignInNeeded`: the user signed in more than ten minutes ago.',
    409: 'The caller has no other way to sign in.',
  },
});

export const endProviderSessions = defineRoute({
  id: 'endProviderSessions',
  method: 'POST',
  path: '/login/oidc/backchannel-logout',
  summary: 'End sessions on request of a provider',
  description:
    'OpenID Connect Back-Channel Logout 1.0: a logout token, signed by a provider of this hub, ends the sessions of its ' +
    '`sid` or `sub`. A token is valid once.',
  tags,
  authority: 'public',
  forms: true,
  body: z.object({ logout_token: z.string().min(1).max(16_000) }),
  answers: { 200: z.object({}) },
  otherAnswers: { 502: unavailable },
});

export const singleSignOnRoutes = [
  beginSingleSignOn,
  finishSingleSignOn,
  listIdentities,
  linkIdentity,
  unlinkIdentity,
  endProviderSessions,
] as const;
