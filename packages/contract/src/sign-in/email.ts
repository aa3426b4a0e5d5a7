import * as z from 'zod';
import { EmailAddress, Timestamp } from '../primitives.ts';
import { defineRoute } from '../route.ts';
import { Password } from './authentication.ts';

const tags = ['users'];

/** The confirmed e-mail address of an account, and a new one that waits for confirmation. */
export const OwnEmail = z
  .object({
    email: z.string().nullable(),
    pending: z.object({ email: z.string(), expiresAt: Timestamp }).optional(),
  })
  .meta({ id: 'OwnEmail' });
export type OwnEmail = z.infer<typeof OwnEmail>;

export const getEmail = defineRoute({
  id: 'getEmail',
  method: 'GET',
  path: '/api/settings/email',
  summary: "Get the caller's e-mail address",
  tags,
  authority: 'user.settings.read',
  answers: { 200: OwnEmail },
});

export const setEmail = defineRoute({
  id: 'setEmail',
  method: 'PUT',
  path: '/api/settings/email',
  summary: "Change or remove the caller's e-mail address",
  description:
    'A new address replaces the old one when the link mailed to it is used within a day. null removes the address. Needs ' +
    'a session that began with a password or a link; `current`, the password, is required unless the session is younger ' +
    'than ten minutes. 409 if the hub mails no links.',
  tags,
  authority: 'user.settings.write',
  body: z.object({ email: EmailAddress.nullable(), current: Password.optional() }),
  answers: { 200: OwnEmail },
  otherAnswers: { 429: 'Too many failed attempts, or too many addresses in a day.' },
});

export const emailRoutes = [getEmail, setEmail] as const;
