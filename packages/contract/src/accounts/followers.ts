import * as z from 'zod';
import { Page } from '../primitives.ts';
import { defineRoute } from '../route.ts';
import { UserReference } from './profiles.ts';

const authority = 'signed-in';
const answers = { 200: z.array(UserReference) };

export const listUserFollowers = defineRoute({
  id: 'listUserFollowers',
  method: 'GET',
  path: '/api/users/{username}/followers',
  summary: 'List the users who follow a user',
  description: 'Following is watching: `PATCH /api/settings/watch`.',
  tags: ['users'],
  authority,
  params: z.object({ username: z.string() }),
  query: Page,
  answers,
});

export const listFollowedUsers = defineRoute({
  id: 'listFollowedUsers',
  method: 'GET',
  path: '/api/users/{username}/following',
  summary: 'List the users whom a user follows',
  tags: ['users'],
  authority,
  params: z.object({ username: z.string() }),
  query: Page,
  answers,
});

export const listOrganizationFollowers = defineRoute({
  id: 'listOrganizationFollowers',
  method: 'GET',
  path: '/api/organizations/{name}/followers',
  summary: 'List the users who follow an organization',
  description:
    'Members follow their organization from the beginning. Where the list of members is private, members alone see them.',
  tags: ['orgs'],
  authority,
  params: z.object({ name: z.string() }),
  query: Page,
  answers,
});

export const followerRoutes = [listUserFollowers, listFollowedUsers, listOrganizationFollowers] as const;
