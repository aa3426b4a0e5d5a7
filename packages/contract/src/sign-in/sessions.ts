import * as z from 'zod';
import { ObjectId, Page, Success, Timestamp } from '../primitives.ts';
import { defineRoute } from '../route.ts';
import { Password } from './authentication.ts';

const tags = ['users'];

export const SESSION_METHODS = ['password', 'link', 'token', 'oidc'] as const;

/** A browser in which a user is signed in. */
export const Session = z
  .object({
    id: ObjectId,
    current: z.boolean().meta({ description: 'The session of this request.' }),
    method: z.enum(SESSION_METHODS).meta({ description: 'How the user signed in.' }),
    createdAt: Timestamp,
    seenAt: Timestamp.meta({ description: 'The last use of the session, accurate to the minute.' }),
    expiresAt: Timestamp,
    address: z.string(),
    userAgent: z.string().optional(),
  })
  .meta({ id: 'Session' });
export type Session = z.infer<typeof Session>;

export const listSessions = defineRoute({
  id: 'listSessions',
  method: 'GET',
  path: '/api/settings/sessions',
  summary: 'List the sessions of the caller, last used first',
  tags,
  authority: 'user.settings.read',
  answers: { 200: z.array(Session) },
});

export const endSession = defineRoute({
  id: 'endSession',
  method: 'DELETE',
  path: '/api/settings/sessions/{sessionId}',
  summary: 'End a session',
  description: 'Takes effect with the next request; open streams of the session end within a second.',
  tags,
  authority: 'user.settings.write',
  params: z.object({ sessionId: z.string() }),
  answers: { 200: Success },
});

export const endOtherSessions = defineRoute({
  id: 'endOtherSessions',
  method: 'DELETE',
  path: '/api/settings/sessions',
  summary: 'End all sessions of the caller except that of this request',
  tags,
  authority: 'user.settings.write',
  answers: { 200: z.object({ ended: z.int() }) },
});

export const setPassword = defineRoute({
  id: 'setPassword',
  method: 'PUT',
  path: '/api/settings/password',
  summary: 'Set a new password',
  description:
    'Needs a session that began with a password or a link. `current` is required unless the session is younger than ' +
    'ten minutes. All other sessions end.',
  tags,
  authority: 'user.settings.write',
  body: z.object({ password: Password, current: Password.optional() }),
  answers: { 200: Success },
  otherAnswers: { 429: 'Too many failed attempts; `Retry-After` says when to try again.' },
});

export const listUserSessions = defineRoute({
  id: 'listUserSessions',
  method: 'GET',
  path: '/api/admin/users/{username}/sessions',
  summary: 'List the sessions of a user, last used first',
  tags: ['admin'],
  authority: 'site-admin.read',
  params: z.object({ username: z.string() }),
  answers: { 200: z.array(Session) },
});

export const endUserSession = defineRoute({
  id: 'endUserSession',
  method: 'DELETE',
  path: '/api/admin/users/{username}/sessions/{sessionId}',
  summary: 'End a session of a user',
  description: 'Takes effect with the next request; open streams of the session end within a second.',
  tags: ['admin'],
  authority: 'site-admin',
  params: z.object({ username: z.string(), sessionId: z.string() }),
  answers: { 200: Success },
});

export const endUserSessions = defineRoute({
  id: 'endUserSessions',
  method: 'DELETE',
  path: '/api/admin/users/{username}/sessions',
  summary: 'End all sessions of a user',
  tags: ['admin'],
  authority: 'site-admin',
  params: z.object({ username: z.string() }),
  answers: { 200: z.object({ ended: z.int() }) },
});

const Outcome = z.enum(['ok', 'refused']);

/** A sign-in, or one that was refused. */
export const SignInEntry = z
  .object({
    id: ObjectId,
    at: Timestamp,
    outcome: Outcome,
    method: z.enum(SESSION_METHODS),
    user: z.string().optional().meta({ description: 'Absent where the attempt named nobody whom the hub knows.' }),
    organization: z.string().optional().meta({ description: 'Whose OpenID provider it was; absent: that of the hub.' }),
    reason: z.string().optional().meta({ description: 'Why the attempt was refused.' }),
    address: z.string(),
    userAgent: z.string().optional(),
  })
  .meta({ id: 'SignInEntry' });
export type SignInEntry = z.infer<typeof SignInEntry>;

export const listSignIns = defineRoute({
  id: 'listSignIns',
  method: 'GET',
  path: '/api/admin/sign-ins',
  summary: 'List who signed in and who was refused, newest first',
  description: 'Entries are kept for 90 days. Attempts that had to wait (429) are not among them.',
  tags: ['admin'],
  authority: 'site-admin.read',
  query: Page.extend({
    user: z.string().min(1).max(100).optional().meta({ description: 'Only the sign-ins of this user.' }),
    outcome: Outcome.optional(),
  }),
  answers: { 200: z.array(SignInEntry) },
  otherAnswers: { 404: 'There is no user of this name.' },
});

export const listOwnSignIns = defineRoute({
  id: 'listOwnSignIns',
  method: 'GET',
  path: '/api/settings/sign-ins',
  summary: 'List the sign-ins of the caller and those that were refused, newest first',
  description: 'Entries are kept for 90 days. Attempts that had to wait (429) are not among them.',
  tags,
  authority: 'user.settings.read',
  query: Page.extend({ outcome: Outcome.optional() }),
  answers: { 200: z.array(SignInEntry) },
});

export const sessionRoutes = [
  listOwnSignIns,
  listSignIns,
  listSessions,
  endSession,
  endOtherSessions,
  setPassword,
  listUserSessions,
  endUserSession,
  endUserSessions,
] as const;
