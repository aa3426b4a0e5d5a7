import * as z from 'zod';
import { ObjectId, Success, Timestamp } from '../primitives.ts';
import { defineRoute } from '../route.ts';
import { GrantedScope } from './scopes.ts';

const tags = ['oauth'];

/** The authorization of an application by a user. */
export const OauthGrant = z
  .object({
    id: ObjectId,
    application: z.object({ clientId: z.string(), name: z.string(), owner: z.string().optional() }),
    scopes: z.array(GrantedScope),
    organizations: z.array(z.string()),
    createdAt: Timestamp,
    lastUsedAt: Timestamp.optional().meta({ description: 'Accurate to about an hour.' }),
    address: z.string().meta({
      description: 'The network address of the program, or else of the browser, at the time of the authorization.',
    }),
    userAgent: z.string().optional(),
  })
  .meta({ id: 'OauthGrant' });
export type OauthGrant = z.infer<typeof OauthGrant>;

export const listGrants = defineRoute({
  id: 'listGrants',
  method: 'GET',
  path: '/api/settings/grants',
  summary: 'List the applications that may act for the caller, newest first',
  tags,
  authority: 'user.settings.read',
  answers: { 200: z.array(OauthGrant) },
});

export const endGrant = defineRoute({
  id: 'endGrant',
  method: 'DELETE',
  path: '/api/settings/grants/{grantId}',
  summary: 'Revoke the authorization of an application by the caller',
  description:
    'Its tokens, and the access tokens that the application created, are unknown from the next request on, and open streams ' +
    'end within a second.',
  tags,
  authority: 'user.settings.write',
  params: z.object({ grantId: z.string() }),
  answers: { 200: Success },
});

export const listUserGrants = defineRoute({
  id: 'listUserGrants',
  method: 'GET',
  path: '/api/admin/users/{username}/grants',
  summary: 'List the applications that may act for a user, newest first',
  tags: ['admin'],
  authority: 'site-admin.read',
  params: z.object({ username: z.string() }),
  answers: { 200: z.array(OauthGrant) },
});

export const endUserGrant = defineRoute({
  id: 'endUserGrant',
  method: 'DELETE',
  path: '/api/admin/users/{username}/grants/{grantId}',
  summary: 'Revoke the authorization of an application by a user',
  description:
    'Its tokens, and the access tokens that the application created, are unknown from the next request on, and open streams ' +
    'end within a second.',
  tags: ['admin'],
  authority: 'site-admin',
  params: z.object({ username: z.string(), grantId: z.string() }),
  answers: { 200: Success },
});

export const grantRoutes = [listGrants, endGrant, listUserGrants, endUserGrant] as const;
