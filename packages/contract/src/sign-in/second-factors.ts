import * as z from 'zod';
import { Success, Timestamp } from '../primitives.ts';
import { defineRoute } from '../route.ts';

const tags = ['users'];
const params = z.object({ username: z.string() });

/** The second factor of a user: an authenticator, whose codes change every 30 seconds, and recovery codes. */
export const SecondFactor = z
  .object({
    enabled: z.boolean(),
    since: Timestamp.optional(),
    recoveryCodes: z.int().optional().meta({ description: 'The number of unused recovery codes.' }),
  })
  .meta({ id: 'SecondFactor' });
export type SecondFactor = z.infer<typeof SecondFactor>;

/** A secret for an authenticator, which takes effect when its first code is sent. */
export const NewSecondFactor = z
  .object({
    secret: z.string().meta({ description: 'The secret in base 32, for typing.' }),
    uri: z.string().meta({ description: 'The secret as a URI, for a QR code: `otpauth://totp/…`.' }),
    expiresAt: Timestamp,
  })
  .meta({ id: 'NewSecondFactor' });
export type NewSecondFactor = z.infer<typeof NewSecondFactor>;

/** A code as typed by a user: of an authenticator, or a recovery code. */
export const TypedCode = z.string().min(1).max(100);

const RecoveryCodes = z.object({
  recoveryCodes: z.array(z.string()).meta({
    description: 'Each code is valid once, in place of a code of the authenticator. The codes are shown only once.',
  }),
});
const recent = 'With the code `RecentSignInNeeded`: the user signed in more than ten minutes ago.';

export const getSecondFactor = defineRoute({
  id: 'getSecondFactor',
  method: 'GET',
  path: '/api/settings/second-factors',
  summary: "Get the caller's second factor",
  tags,
  authority: 'user.settings.read',
  answers: { 200: SecondFactor },
});

export const beginSecondFactor = defineRoute({
  id: 'beginSecondFactor',
  method: 'POST',
  path: '/api/settings/second-factors',
  summary: 'Create a secret for an authenticator',
  description:
    'TOTP (RFC 6238): SHA-1, six digits, 30 seconds. The secret takes effect when its first code is sent within 15 ' +
    'minutes; until then an existing second factor stays valid. Needs a session that began with a password or a link ' +
    'within the last ten minutes.',
  tags,
  authority: 'user.settings.write',
  body: z.object({}),
  answers: { 200: NewSecondFactor },
  otherAnswers: { 403: recent },
});

export const confirmSecondFactor = defineRoute({
  id: 'confirmSecondFactor',
  method: 'POST',
  path: '/api/settings/second-factors/confirm',
  summary: 'Activate a new second factor with its first code',
  description: 'All other sessions end. 409 if no second factor is waiting to be confirmed.',
  tags,
  authority: 'user.settings.write',
  body: z.object({ code: TypedCode }),
  answers: { 200: RecoveryCodes },
});

export const setUpSecondFactor = defineRoute({
  id: 'setUpSecondFactor',
  method: 'POST',
  path: '/api/sign-in/second-factor/set-up',
  summary: 'Set up a second factor during a sign-in',
  description:
    'For users who passed the first step and must set up a second factor on this hub (`setUp` in the response). The first ' +
    'code goes to `POST /api/sign-in/second-factor`, which returns the recovery codes.',
  tags: ['auth'],
  authority: 'public',
  body: z.object({}),
  answers: { 200: NewSecondFactor },
  otherAnswers: {
    401: 'With the code `SignInExpired`: begin again with the first step.',
    403: 'The request comes from a page of another origin.',
    409: 'The user has a second factor, or needs none.',
  },
});

export const renewRecoveryCodes = defineRoute({
  id: 'renewRecoveryCodes',
  method: 'POST',
  path: '/api/settings/second-factors/recovery-codes',
  summary: 'Replace the recovery codes',
  description: 'All other sessions end. 409 without a second factor.',
  tags,
  authority: 'user.settings.write',
  body: z.object({}),
  answers: { 200: RecoveryCodes },
  otherAnswers: { 403: recent },
});

export const disableSecondFactor = defineRoute({
  id: 'disableSecondFactor',
  method: 'DELETE',
  path: '/api/settings/second-factors',
  summary: "Remove the caller's second factor",
  description: 'All other sessions end.',
  tags,
  authority: 'user.settings.write',
  answers: { 200: Success },
  otherAnswers: { 403: recent, 409: 'The caller has no second factor.' },
});

export const getUserSecondFactor = defineRoute({
  id: 'getUserSecondFactor',
  method: 'GET',
  path: '/api/admin/users/{username}/second-factors',
  summary: 'Get the second factor of a user',
  tags: ['admin'],
  authority: 'site-admin.read',
  params,
  answers: { 200: SecondFactor },
});

export const resetSecondFactor = defineRoute({
  id: 'resetSecondFactor',
  method: 'DELETE',
  path: '/api/admin/users/{username}/second-factors',
  summary: 'Remove the second factor of a user who lost it',
  description: 'All sessions of the user end, and a mail tells the user who removed it.',
  tags: ['admin'],
  authority: 'site-admin',
  params,
  answers: { 200: Success },
  otherAnswers: { 409: 'The user has no second factor.' },
});

export const secondFactorRoutes = [
  getSecondFactor,
  beginSecondFactor,
  confirmSecondFactor,
  setUpSecondFactor,
  renewRecoveryCodes,
  disableSecondFactor,
  getUserSecondFactor,
  resetSecondFactor,
] as const;
