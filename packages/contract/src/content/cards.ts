import * as z from 'zod';
import { RepoType } from '../primitives.ts';
import { defineRoute } from '../route.ts';

const Messages = z.array(z.object({ message: z.string() }));

export const validateCard = defineRoute({
  id: 'validateCard',
  client: { body: { repoType: 'type' } },
  method: 'POST',
  path: '/api/validate-yaml',
  summary: 'Check the metadata of a README',
  description:
    'Clients ask before they commit a README, some of them without a token. 400 with `errors`, a list of messages, where ' +
    'the metadata is not sound; a commit of it is not refused. Who accepts `text/plain` gets the messages as lines.',
  tags: ['content'],
  authority: 'public',
  body: z.object({ content: z.string(), repoType: RepoType.nullish() }),
  answers: { 200: z.object({ errors: Messages, warnings: Messages }) },
});

export const cardRoutes = [validateCard] as const;
