import * as z from 'zod';
import { UserReference } from '../accounts/profiles.ts';
import { Empty, Page, RepoId, RepoParams, Timestamp } from '../primitives.ts';
import { defineRoute } from '../route.ts';

const tags = ['repos'];
const path = '/api/{repoType}/{namespace}/{repo}/like';

export const likeRepo = defineRoute({
  id: 'likeRepo',
  method: 'POST',
  path,
  summary: 'Like a repository',
  description: 'Whoever may read a repository may like it. Liking it again changes nothing.',
  tags,
  authority: 'user.settings.write',
  params: RepoParams,
  answers: { 200: Empty },
});

export const unlikeRepo = defineRoute({
  id: 'unlikeRepo',
  method: 'DELETE',
  path,
  summary: 'Take a like back',
  description: 'Without a like nothing changes.',
  tags,
  authority: 'user.settings.write',
  params: RepoParams,
  answers: { 200: Empty },
});

export const listLikers = defineRoute({
  id: 'listLikers',
  method: 'GET',
  path: '/api/{repoType}/{namespace}/{repo}/likers',
  summary: 'List the users who like a repository, the latest first',
  tags,
  authority: 'repo.content.read',
  params: RepoParams,
  query: Page,
  answers: { 200: z.array(UserReference) },
});

export const LikedRepo = z.object({ createdAt: Timestamp, repo: RepoId }).meta({ id: 'LikedRepo' });

export const listLikedRepos = defineRoute({
  id: 'listLikedRepos',
  method: 'GET',
  path: '/api/users/{username}/likes',
  summary: 'List the repositories that a user likes, the latest first',
  description: 'Public repositories only.',
  tags: ['users'],
  authority: 'signed-in',
  params: z.object({ username: z.string() }),
  query: Page,
  answers: { 200: z.array(LikedRepo) },
});

export const likeRoutes = [likeRepo, unlikeRepo, listLikers, listLikedRepos] as const;
