import * as z from 'zod';
import { defineRoute } from '../route.ts';

const params = z.object({ username: z.string() });
const answers = { 200: z.object({}) };

export const disableUser = defineRoute({
  id: 'disableUser',
  method: 'POST',
  path: '/api/admin/users/{username}/disable',
  summary: 'Disable a user',
  description:
    'At once, the tokens of the user become invalid, open streams end, webhooks deliver nothing, jobs are cancelled ' +
    'and no mail is sent. Nothing is deleted. 409 for the caller, and for the last enabled site administrator.',
  tags: ['admin'],
  authority: 'site-admin',
  params,
  answers,
});

export const enableUser = defineRoute({
  id: 'enableUser',
  method: 'POST',
  path: '/api/admin/users/{username}/enable',
  summary: 'Enable a user',
  description: 'Enables a disabled user, even one disabled by the identity provider of an organization.',
  tags: ['admin'],
  authority: 'site-admin',
  params,
  answers,
});

export const deleteUser = defineRoute({
  id: 'deleteUser',
  method: 'DELETE',
  path: '/api/users/{username}',
  summary: 'Delete a user',
  description:
    'Users may delete themselves, site administrators anybody; needs a token of the role `write`. Deletes the repositories, posts, articles, tokens, ' +
    'webhooks and jobs of the user; the name becomes free, but stays in audit logs. 409 for the only admin of an ' +
    'organization, and for the last enabled site administrator.',
  tags: ['users'],
  authority: 'signed-in',
  params,
  answers,
});

export const userRoutes = [disableUser, enableUser, deleteUser] as const;
