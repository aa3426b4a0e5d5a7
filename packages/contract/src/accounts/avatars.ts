import { z } from 'zod';
import { defineRoute } from '../route.ts';

/** Where a picture is: on this hub, or where a site administrator said. */
export const Avatar = z.object({ avatarUrl: z.url() }).meta({ id: 'Avatar' });

const OfOrganization = z.object({ name: z.string() });
const OfUser = z.object({ username: z.string() });
const Redirect = z.object({
  redirect: z.unknown().optional().meta({ description: 'Given with any value: redirect to the picture.' }),
});

/** E20 and its twin of users (W§6.2). */
const reading = {
  description:
    'With the header `Sec-Fetch-Dest: image`, or `redirect`, it redirects to the picture; no token is needed then.',
  otherAnswers: { 302: 'Redirect to the picture.', 401: 'JSON is for callers with a token.' },
} as const;

const uploading = {
  client: { body: 'picture' },
  rawBody: {
    description: 'The picture itself, at most 1 MiB and 4096 by 4096 pixels. What it is, its bytes say, not its type.',
    types: ['image/png', 'image/jpeg', 'image/webp', 'image/gif'],
  },
  description:
    'The hub makes its own picture of it: the middle as a square of at most 512 by 512 pixels, the first frame only, ' +
    'without what else the file holds. It takes the place of the picture before.',
  otherAnswers: { 503: 'Too many pictures at once; try again soon.' },
} as const;

const removing = 'Without a picture of its own an account has the one that the hub makes from its id.';

export const getOrganizationAvatar = defineRoute({
  id: 'getOrganizationAvatar',
  method: 'GET',
  path: '/api/organizations/{name}/avatar',
  summary: 'Organization avatar',
  tags: ['orgs'],
  ...reading,
  authority: 'public',
  params: OfOrganization,
  query: Redirect,
  answers: { 200: Avatar },
});

export const getUserAvatar = defineRoute({
  id: 'getUserAvatar',
  method: 'GET',
  path: '/api/users/{username}/avatar',
  summary: 'User avatar',
  tags: ['users'],
  ...reading,
  authority: 'public',
  params: OfUser,
  query: Redirect,
  answers: { 200: Avatar },
});

export const setOrganizationAvatar = defineRoute({
  id: 'setOrganizationAvatar',
  method: 'PUT',
  path: '/api/organizations/{name}/avatar',
  summary: 'Upload the avatar of an organization',
  tags: ['orgs'],
  ...uploading,
  authority: 'org.write',
  params: OfOrganization,
  answers: { 200: Avatar },
});

export const setUserAvatar = defineRoute({
  id: 'setUserAvatar',
  method: 'PUT',
  path: '/api/users/{username}/avatar',
  summary: 'Upload your avatar',
  tags: ['users'],
  ...uploading,
  authority: 'user.settings.write',
  params: OfUser,
  answers: { 200: Avatar },
});

export const deleteOrganizationAvatar = defineRoute({
  id: 'deleteOrganizationAvatar',
  method: 'DELETE',
  path: '/api/organizations/{name}/avatar',
  summary: 'Remove the avatar of an organization',
  description: removing,
  tags: ['orgs'],
  authority: 'org.write',
  params: OfOrganization,
  answers: { 200: Avatar },
});

export const deleteUserAvatar = defineRoute({
  id: 'deleteUserAvatar',
  method: 'DELETE',
  path: '/api/users/{username}/avatar',
  summary: 'Remove your avatar',
  description: removing,
  tags: ['users'],
  authority: 'user.settings.write',
  params: OfUser,
  answers: { 200: Avatar },
});

export const getAvatar = defineRoute({
  id: 'getAvatar',
  method: 'GET',
  path: '/api/avatars/{namespace}',
  summary: 'Avatar of a user or organization',
  tags: ['users', 'orgs'],
  authority: 'public',
  params: z.object({ namespace: z.string() }),
  answers: {},
  otherAnswers: { 302: 'Redirect to the picture.' },
});

const unchanged = 'The picture is the one named in `If-None-Match`.';

export const getGeneratedAvatar = defineRoute({
  id: 'getGeneratedAvatar',
  method: 'GET',
  path: '/avatars/{file}',
  summary: 'Generated picture of an account',
  tags: ['users', 'orgs'],
  authority: 'public',
  params: z.object({ file: z.string().regex(/^[0-9a-f]{24}\.svg$/, 'must be an object id and .svg') }),
  answers: {},
  otherAnswers: { 200: 'An SVG picture made from the id.', 304: unchanged },
});

export const getUploadedAvatar = defineRoute({
  id: 'getUploadedAvatar',
  method: 'GET',
  path: '/avatars/uploaded/{file}',
  summary: 'Uploaded picture of an account',
  description: 'Named by what it holds: another picture has another address.',
  tags: ['users', 'orgs'],
  authority: 'public',
  params: z.object({ file: z.string().regex(/^[0-9a-f]{64}\.webp$/, 'must be a SHA-256 in hexadecimal and .webp') }),
  answers: {},
  otherAnswers: { 200: 'A WebP picture.', 304: unchanged },
});

export const avatarRoutes = [
  getOrganizationAvatar,
  getUserAvatar,
  setOrganizationAvatar,
  setUserAvatar,
  deleteOrganizationAvatar,
  deleteUserAvatar,
  getAvatar,
  getGeneratedAvatar,
  getUploadedAvatar,
] as const;
