import * as z from 'zod';
import { ObjectId, Page, Success, Timestamp } from '../primitives.ts';
import { defineRoute } from '../route.ts';

const tags = ['admin'];

export const DeadLetterQueue = z
  .enum(['events', 'tasks', 'deliveries', 'mails', 'jobs', 'scheduled-jobs'])
  .meta({ id: 'DeadLetterQueue' });
export type DeadLetterQueue = z.infer<typeof DeadLetterQueue>;

/** An item that its queue has set aside. */
export const DeadLetter = z
  .object({
    id: ObjectId,
    queue: DeadLetterQueue,
    itemId: z.string().meta({ description: 'Id of the event, task, delivery, mail or job.' }),
    kind: z.string().meta({
      description:
        'The topic of an event, the kind of a task or mail, the kind and event of a delivery, the step of a job.',
    }),
    error: z.string().meta({ description: 'One line without secrets; the log of the hub has details.' }),
    failures: z.int(),
    deaths: z.int().meta({ description: 'How many processes of the hub died while processing the item.' }),
    createdAt: Timestamp.meta({ description: 'When the item was created.' }),
    setAsideAt: Timestamp,
  })
  .meta({ id: 'DeadLetter' });
export type DeadLetter = z.infer<typeof DeadLetter>;

export const listDeadLetters = defineRoute({
  id: 'listDeadLetters',
  method: 'GET',
  path: '/api/admin/dead-letters',
  summary: 'List dead letters, newest first',
  tags,
  description: 'Items that failed five times, or that three processes were processing when they died.',
  authority: 'site-admin.read',
  query: Page.extend({ queue: DeadLetterQueue.optional() }),
  answers: { 200: z.array(DeadLetter) },
});

export const retryDeadLetter = defineRoute({
  id: 'retryDeadLetter',
  method: 'POST',
  path: '/api/admin/dead-letters/{id}/retry',
  summary: 'Retry a dead letter',
  tags,
  description:
    'Puts the item back into its queue, due at once. 410 if the item no longer exists, for example because its organization was deleted.',
  authority: 'site-admin',
  params: z.object({ id: ObjectId }),
  answers: { 200: Success },
});

export const discardDeadLetter = defineRoute({
  id: 'discardDeadLetter',
  method: 'DELETE',
  path: '/api/admin/dead-letters/{id}',
  summary: 'Discard a dead letter',
  tags,
  description:
    'The remaining reactions to an event do not run; a task is not done; a delivery or mail stays failed; a job ends with `ERROR`; scheduled work runs again at its next time.',
  authority: 'site-admin',
  params: z.object({ id: ObjectId }),
  answers: { 200: Success },
});

export const deadLetterRoutes = [listDeadLetters, retryDeadLetter, discardDeadLetter] as const;
