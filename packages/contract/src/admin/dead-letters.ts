import { z } from 'zod';
import { ObjectId, Page, Success, Timestamp } from '../primitives.ts';
import { defineRoute } from '../route.ts';

const tags = ['admin'];

export const DeadLetterQueue = z
  .enum(['events', 'tasks', 'deliveries', 'mails', 'jobs', 'scheduled-jobs'])
  .meta({ id: 'DeadLetterQueue' });
export type DeadLetterQueue = z.infer<typeof DeadLetterQueue>;

/** An item that its queue goes on without. */
export const DeadLetter = z
  .object({
    id: ObjectId,
    queue: DeadLetterQueue,
    itemId: z.string().meta({ description: 'Of the event, task, delivery, mail or job.' }),
    kind: z.string().meta({
      description:
        'The topic of an event, the kind of a task or mail, the kind and event of a delivery, the step of a job.',
    }),
    error: z.string().meta({ description: 'One line, without what may be secret; the log of the hub says more.' }),
    failures: z.int(),
    deaths: z.int().meta({ description: 'How many processes of the hub died while they had it in hand.' }),
    createdAt: Timestamp.meta({ description: 'Of the item.' }),
    setAsideAt: Timestamp,
  })
  .meta({ id: 'DeadLetter' });
export type DeadLetter = z.infer<typeof DeadLetter>;

export const listDeadLetters = defineRoute({
  id: 'listDeadLetters',
  method: 'GET',
  path: '/api/admin/dead-letters',
  summary: 'List what the queues of the hub set aside, newest first',
  tags,
  description: 'What failed five times, or was in hand when the process died three times.',
  authority: 'site-admin.read',
  query: Page.extend({ queue: DeadLetterQueue.optional() }),
  answers: { 200: z.array(DeadLetter) },
});

export const retryDeadLetter = defineRoute({
  id: 'retryDeadLetter',
  method: 'POST',
  path: '/api/admin/dead-letters/{id}/retry',
  summary: 'Put an item that was set aside back into its queue',
  tags,
  description: 'Due at once. 410 where the item is gone, such as with its organization.',
  authority: 'site-admin',
  params: z.object({ id: ObjectId }),
  answers: { 200: Success },
});

export const discardDeadLetter = defineRoute({
  id: 'discardDeadLetter',
  method: 'DELETE',
  path: '/api/admin/dead-letters/{id}',
  summary: 'Give an item up that was set aside',
  tags,
  description:
    'The reactions that an event still has do not follow; a task is not done; a delivery or mail stays failed; a job ends with `ERROR`; what begins again by the clock does so at its next time.',
  authority: 'site-admin',
  params: z.object({ id: ObjectId }),
  answers: { 200: Success },
});

export const deadLetterRoutes = [listDeadLetters, retryDeadLetter, discardDeadLetter] as const;
