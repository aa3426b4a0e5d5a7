import * as z from 'zod';
import { Timestamp } from '../primitives.ts';
import { defineRoute } from '../route.ts';
import { Password, SignedIn } from './authentication.ts';

/**
 * The purpose of a link: set up the first site administrator, invite a user, reset a password, confirm an address, create
 * an account.
 */
export const LinkPurpose = z.enum(['setup', 'invite', 'reset', 'email', 'sign-up']).meta({ id: 'LinkPurpose' });
export type LinkPurpose = z.infer<typeof LinkPurpose>;

const params = z.object({ code: z.string().min(1).max(100) });
const spent = 'The link has been used, has expired or was replaced.';

export const createUserLink = defineRoute({
  id: 'createUserLink',
  method: 'POST',
  path: '/api/admin/users/{username}/links',
  summary: 'Create a link with which a user sets a password',
  description:
    'A link works once and invalidates earlier links of the same purpose. `invite` lasts seven days, `reset` 30 minutes, ' +
    '`setup` 24 hours. Setting the password signs in and ends all other sessions of the user.',
  tags: ['admin'],
  authority: 'site-admin',
  params: z.object({ username: z.string() }),
  body: z.object({ purpose: LinkPurpose.exclude(['email', 'sign-up']) }),
  answers: { 200: z.object({ url: z.url(), expiresAt: Timestamp }) },
});

export const getLink = defineRoute({
  id: 'getLink',
  method: 'GET',
  path: '/api/links/{code}',
  summary: 'Get the purpose of a link',
  description: 'Does not use the link.',
  tags: ['auth'],
  authority: 'public',
  params,
  answers: {
    200: z.object({
      purpose: LinkPurpose,
      user: z
        .string()
        .optional()
        .meta({ description: 'The name of the user; absent for `sign-up`, which creates the user.' }),
      email: z.string().optional().meta({ description: 'The address that the link confirms.' }),
      passwordMin: z.int().meta({ description: 'The minimum length of a password.' }),
      expiresAt: Timestamp,
    }),
  },
  otherAnswers: { 410: spent },
});

export const useLink = defineRoute({
  id: 'useLink',
  method: 'POST',
  path: '/api/links/{code}',
  summary: 'Use a link: set the password and sign in',
  description:
    '`name` changes the name of the user, for the purposes `setup` and `invite` only. With `sign-up`, it is required: the ' +
    'link creates a user with this name and the address that received the link. 409 if the name or the address is taken.',
  tags: ['auth'],
  authority: 'public',
  params,
  body: z.object({ password: Password, name: z.string().max(100).optional() }),
  answers: { 200: SignedIn },
  otherAnswers: {
    403: 'The request comes from a page of another origin, or the hub no longer lets this address sign up.',
    410: spent,
  },
});

export const confirmEmail = defineRoute({
  id: 'confirmEmail',
  method: 'POST',
  path: '/api/links/{code}/confirm',
  summary: 'Use a link that confirms an e-mail address',
  description:
    'For links of the purpose `email`, which are mailed. Does not sign in. 409 if another user has the address.',
  tags: ['auth'],
  authority: 'public',
  params,
  body: z.object({}),
  answers: { 200: z.object({ user: z.string(), email: z.string() }) },
  otherAnswers: { 403: 'The request comes from a page of another origin.', 410: spent },
});

export const linkRoutes = [createUserLink, getLink, useLink, confirmEmail] as const;
