import * as z from 'zod';
import { Success, Timestamp } from '../primitives.ts';
import { defineRoute } from '../route.ts';
import { OauthScope } from './scopes.ts';

const tags = ['oauth'];

const RedirectUri = z
  .string()
  .min(1)
  .max(2000)
  .meta({
    description:
      'An https URL, or an http URL of the local machine (`localhost`, `127.0.0.1`, `[::1]`), whose port is then ' +
      'ignored. A final `*` matches any continuation: `https://app.example/oauth/callback?*`.',
  });

export const MAX_TOKEN_MINUTES = 30 * 24 * 60;

const settings = {
  name: z.string().trim().min(1).max(100),
  redirectUris: z.array(RedirectUri).max(20),
  scopes: z.array(OauthScope).min(1),
  tokenMinutes: z.int().min(5).max(MAX_TOKEN_MINUTES).meta({ description: 'The lifetime of access tokens.' }),
};

export const Application = z
  .object({
    clientId: z.string(),
    ...settings,
    confidential: z.boolean().meta({ description: 'Whether the application can keep a secret; others must use PKCE.' }),
    createdAt: Timestamp,
  })
  .meta({ id: 'Application' });
export type Application = z.infer<typeof Application>;

export const listApplications = defineRoute({
  id: 'listApplications',
  method: 'GET',
  path: '/api/settings/applications',
  summary: 'List the applications that the caller registered, newest first',
  tags,
  authority: 'user.settings.read',
  answers: { 200: z.array(Application) },
});

export const NewApplication = z.object({
  ...settings,
  redirectUris: settings.redirectUris.default([]),
  scopes: settings.scopes.default(['openid', 'profile']),
  tokenMinutes: settings.tokenMinutes.default(8 * 60),
  confidential: z.boolean().default(false),
});
export type NewApplication = z.infer<typeof NewApplication>;

export const createApplication = defineRoute({
  id: 'createApplication',
  method: 'POST',
  path: '/api/settings/applications',
  summary: 'Register an application that users can authorize',
  description: 'A confidential application gets a `clientSecret`, which is shown only once.',
  tags,
  authority: 'user.settings.write',
  body: NewApplication,
  answers: { 200: Application.extend({ clientSecret: z.string().optional() }) },
  otherAnswers: { 409: 'The caller has 50 applications, the most.' },
});

export const ApplicationChange = z.object({
  name: settings.name.optional(),
  redirectUris: settings.redirectUris.optional(),
  scopes: settings.scopes.optional(),
  tokenMinutes: settings.tokenMinutes.optional(),
});
export type ApplicationChange = z.infer<typeof ApplicationChange>;

export const updateApplication = defineRoute({
  id: 'updateApplication',
  method: 'PATCH',
  path: '/api/settings/applications/{clientId}',
  summary: 'Change an application',
  description: 'Existing authorizations of users do not change.',
  tags,
  authority: 'user.settings.write',
  params: z.object({ clientId: z.string() }),
  client: { body: 'change' },
  body: ApplicationChange,
  answers: { 200: Application },
});

export const deleteApplication = defineRoute({
  id: 'deleteApplication',
  method: 'DELETE',
  path: '/api/settings/applications/{clientId}',
  summary: 'Delete an application',
  description: 'All its tokens are unknown from the next request on.',
  tags,
  authority: 'user.settings.write',
  params: z.object({ clientId: z.string() }),
  answers: { 200: Success },
});

export const applicationRoutes = [listApplications, createApplication, updateApplication, deleteApplication] as const;
