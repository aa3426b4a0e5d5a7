import { z } from 'zod';
import { defineRoute } from '../route.ts';

const params = z.object({ username: z.string() });
const answers = { 200: z.object({}) };

export const disableUser = defineRoute({
  id: 'disableUser',
  method: 'POST',
  path: '/api/admin/users/{username}/disable',
  summary: 'Disable a user',
  description:
    'From the next request on the tokens of the user are unknown, open streams end, webhooks deliver nothing, jobs end ' +
    'and no mail is sent. Nothing is deleted. 409 for oneself, and for the last enabled site administrator.',
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
  description: 'Whoever disabled it: also where that was the identity provider of an organization.',
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
    'Oneself, or as a site administrator anybody; with a token of the role `write`. Repositories, posts, articles, tokens, ' +
    'webhooks and jobs of the user end; audit logs keep the name, which is free again. 409 for the only admin of an ' +
    'organization, and for the last enabled site administrator.',
  tags: ['users'],
  authority: 'signed-in',
  params,
  answers,
});

export const userRoutes = [disableUser, enableUser, deleteUser] as const;
