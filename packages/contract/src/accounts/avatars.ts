import * as z from 'zod';
import { defineRoute } from '../route.ts';

/** The URL of a picture: on this hub, or as set by a site administrator. */
export const Avatar = z.object({ avatarUrl: z.url() }).meta({ id: 'Avatar' });

const OfOrganization = z.object({ name: z.string() });
const OfUser = z.object({ username: z.string() });
const Redirect = z.object({
  redirect: z.unknown().optional().meta({ description: 'With any value: redirects to the picture.' }),
});

/** E20 and its twin of users (W§6.2). */
const reading = {
  description:
    'Returns the URL of the picture. With the header `Sec-Fetch-Dest: image` or the parameter `redirect`, redirects to the picture and needs no token.',
  otherAnswers: { 302: 'Redirect to the picture.', 401: 'JSON requires a token.' },
} as const;

const uploading = {
  client: { body: 'picture' },
  rawBody: {
    description:
      'The picture, at most 1 MiB and 4096 by 4096 pixels. The hub detects its format from the bytes, not from the media type.',
    types: ['image/png', 'image/jpeg', 'image/webp', 'image/gif'],
  },
  description:
    'The hub re-encodes the picture: its centre as a square of at most 512 by 512 pixels, the first frame only, ' +
    'without metadata. The new picture replaces the previous one.',
  otherAnswers: { 503: 'Too many uploads at once; try again soon.' },
} as const;

const removing = 'The account then has the picture that the hub generates from its id.';

export const getOrganizationAvatar = defineRoute({
  id: 'getOrganizationAvatar',
  method: 'GET',
  path: '/api/organizations/{name}/avatar',
  summary: 'Get the avatar URL of an organization',
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
  summary: 'Get the avatar URL of a user',
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
  summary: 'Get the avatar URL of a user or organization',
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
  summary: 'Get the generated picture of an account',
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
  summary: 'Get the uploaded picture of an account',
  description: 'Named by its content: another picture has another URL.',
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
