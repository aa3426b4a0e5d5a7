import * as z from 'zod';
import { ObjectId, Success, Timestamp } from '../primitives.ts';
import { defineRoute } from '../route.ts';
import { ScopeShown } from './scopes.ts';

const tags = ['oauth'];

/** The data that the consent page shows before a user authorizes an application. */
const asked = {
  application: z.object({
    clientId: z.string(),
    name: z.string(),
    owner: z
      .string()
      .optional()
      .meta({ description: 'The owner of the application; absent for applications of the hub itself.' }),
  }),
  scopes: z.array(ScopeShown),
  organizations: z
    .array(z.object({ id: ObjectId, name: z.string(), fullname: z.string(), selected: z.boolean() }))
    .meta({ description: 'The organizations of the user, who selects those in which the application may act.' }),
};

export const DeviceLogin = z
  .object({
    ...asked,
    address: z.string().meta({ description: 'The network address of the waiting program.' }),
    userAgent: z.string().optional(),
    createdAt: Timestamp,
    expiresAt: Timestamp,
  })
  .meta({ id: 'DeviceLogin' });
export type DeviceLogin = z.infer<typeof DeviceLogin>;

const UserCode = z.string().min(1).max(50).meta({ description: 'The code as typed by the user: `ABCD-EFGH`.' });
const Organizations = z
  .array(z.string().max(100))
  .max(1000)
  .default([])
  .meta({ description: 'Names of the organizations that the application may act in.' });
const Decision = z.enum(['allow', 'deny']);

export const getDeviceLogin = defineRoute({
  id: 'getDeviceLogin',
  method: 'POST',
  path: '/api/oauth/device/request',
  summary: 'Get the program that waits for the confirmation of a code',
  description: 'For browsers in which the user is signed in.',
  tags,
  authority: 'user.settings.write',
  body: z.object({ userCode: UserCode }),
  answers: { 200: DeviceLogin },
  otherAnswers: {
    404: 'No program is waiting for this code: it has expired, was used, or never was.',
    429: 'Too many codes that never were; `Retry-After` says when to try again.',
  },
});

export const decideDeviceLogin = defineRoute({
  id: 'decideDeviceLogin',
  method: 'POST',
  path: '/api/oauth/device/decision',
  summary: 'Authorize a program to act for the user, or refuse',
  description: 'For browsers in which the user signed in within the last ten minutes.',
  tags,
  authority: 'user.settings.write',
  body: z.object({ userCode: UserCode, decision: Decision, organizations: Organizations }),
  answers: { 200: Success },
  otherAnswers: {
    403: 'With the code `RecentSignInNeeded`: the user signed in longer ago.',
    404: 'No program is waiting for this code: it has expired, was used, or never was.',
    429: 'Too many codes that never were; `Retry-After` says when to try again.',
  },
});

const text = (max: number) => z.string().max(max).optional();

/** The query of the page `/oauth/authorize`, as an application wrote it. */
export const AuthorizationQuery = z.object({
  client_id: text(500),
  redirect_uri: text(2000),
  response_type: text(100),
  scope: text(1000),
  state: text(4000),
  nonce: text(500),
  code_challenge: text(200),
  code_challenge_method: text(100),
  prompt: text(100),
  orgIds: text(2000),
});
export type AuthorizationQuery = z.infer<typeof AuthorizationQuery>;

/** The next address of the browser, or the data of the consent page. */
export const AuthorizationAsked = z
  .union([
    z.object({ ...asked, redirectUri: z.string() }),
    z.object({ location: z.string().meta({ description: 'An address at which the application receives an error.' }) }),
  ])
  .meta({ id: 'AuthorizationAsked' });
export type AuthorizationAsked = z.infer<typeof AuthorizationAsked>;

export const getAuthorization = defineRoute({
  id: 'getAuthorization',
  method: 'GET',
  path: '/api/oauth/authorize',
  summary: 'Get the authorization that an application requests from a user',
  description:
    'For browsers in which the user is signed in. An error 400 must be shown and not sent to the application.',
  tags,
  authority: 'user.settings.write',
  query: AuthorizationQuery,
  answers: { 200: AuthorizationAsked },
});

export const decideAuthorization = defineRoute({
  id: 'decideAuthorization',
  method: 'POST',
  path: '/api/oauth/authorize',
  summary: 'Authorize an application to act for the user, or refuse',
  description: 'For browsers in which the user is signed in. `location` is the next address of the browser.',
  tags,
  authority: 'user.settings.write',
  client: { body: 'decision' },
  body: AuthorizationQuery.extend({ decision: Decision, organizations: Organizations }),
  answers: { 200: z.object({ location: z.string() }) },
});

export const consentRoutes = [getDeviceLogin, decideDeviceLogin, getAuthorization, decideAuthorization] as const;
