import * as z from 'zod';
import { defineRoute } from '../route.ts';

const FORM =
  'One JSON object a line: `{"section": "export", "version": 1, "user", "createdAt"}`, then the items, each with its ' +
  '`section`, and `{"section": "end", "items": N}`, without which the file is incomplete. No secrets, and no texts of others.';

const answers = {};
const otherAnswers = {
  200: 'The file, as `application/x-ndjson`.',
  429: 'An export of this user is running already, or too many exports are.',
};

export const exportOwnData = defineRoute({
  id: 'exportOwnData',
  method: 'GET',
  path: '/api/settings/export',
  summary: 'Download the personal data of the caller',
  description: `${FORM} Needs a browser session, or an access token of the role \`write\` that no organization refuses.`,
  tags: ['users'],
  authority: 'signed-in',
  answers,
  otherAnswers,
});

export const exportUserData = defineRoute({
  id: 'exportUserData',
  method: 'GET',
  path: '/api/admin/users/{username}/export',
  summary: 'Download the personal data of a user',
  description: `${FORM} The audit log of the hub records it.`,
  tags: ['admin'],
  authority: 'site-admin',
  params: z.object({ username: z.string() }),
  answers,
  otherAnswers,
});

export const personalDataRoutes = [exportOwnData, exportUserData] as const;
