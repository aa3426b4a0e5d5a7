import { z } from 'zod';
import { defineRoute } from '../route.ts';

const unsubscribing = {
  path: '/unsubscribe/{token}',
  tags: ['mail'],
  authority: 'public',
  params: z.object({ token: z.string().max(200).meta({ description: 'From the link in a mail.' }) }),
  answers: {},
} as const;

export const getUnsubscribePage = defineRoute({
  id: 'getUnsubscribePage',
  method: 'GET',
  summary: 'Page to turn off one kind of mail',
  description: 'Changes nothing.',
  ...unsubscribing,
  otherAnswers: { 200: 'An HTML page with a button.' },
});

/** The one click of RFC 8058: mail programs send it by themselves, with a form as its body. */
export const unsubscribe = defineRoute({
  id: 'unsubscribe',
  method: 'POST',
  summary: 'Turn off one kind of mail',
  description:
    'What the `List-Unsubscribe` header of a mail names (RFC 8058). The token says whose mails of which kind; a body, such as `List-Unsubscribe=One-Click`, is not looked at.',
  ...unsubscribing,
  otherAnswers: { 200: 'An HTML page that says so.' },
});

export const mailRoutes = [getUnsubscribePage, unsubscribe] as const;
