import * as z from 'zod';
import { defineRoute } from '../route.ts';

const unsubscribing = {
  path: '/unsubscribe/{token}',
  tags: ['mail'],
  authority: 'public',
  params: z.object({ token: z.string().max(200).meta({ description: 'The token of the link in a mail.' }) }),
  answers: {},
} as const;

export const getUnsubscribePage = defineRoute({
  id: 'getUnsubscribePage',
  method: 'GET',
  summary: 'Show the page that turns off one kind of mail',
  description: 'Changes nothing by itself.',
  ...unsubscribing,
  otherAnswers: { 200: 'An HTML page with a button.' },
});

/** One-click unsubscribe (RFC 8058): mail programs send this request by themselves, with a form as its body. */
export const unsubscribe = defineRoute({
  id: 'unsubscribe',
  method: 'POST',
  summary: 'Turn off one kind of mail',
  description:
    'The target of the `List-Unsubscribe` header of a mail (RFC 8058). The token identifies the user and the kind of mail; a body, such as `List-Unsubscribe=One-Click`, is ignored.',
  ...unsubscribing,
  otherAnswers: { 200: 'An HTML page that says so.' },
});

export const mailRoutes = [getUnsubscribePage, unsubscribe] as const;
