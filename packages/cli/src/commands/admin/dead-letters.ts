import {
  type DeadLetter,
  type DeadLetterQueue,
  discardDeadLetter,
  listDeadLetters,
  retryDeadLetter,
} from '@moonbase/client/admin';
import { command, group, listing } from '../../program/command.ts';
import { argument, choice } from '../../program/parameter.ts';
import { when } from '../parameters.ts';

const QUEUES = [
  'events',
  'tasks',
  'deliveries',
  'mails',
  'jobs',
  'scheduled-jobs',
] as const satisfies readonly DeadLetterQueue[];
const ID = argument('id, as the list has it');

const tries = ({ failures, deaths }: DeadLetter): string =>
  [...(failures > 0 ? [`${failures} failures`] : []), ...(deaths > 0 ? [`${deaths} crashes`] : [])].join(', ');

const list = listing({
  name: 'list',
  summary: 'list the items that the queues of the hub set aside, newest first',
  options: { queue: choice(QUEUES, 'only those of one queue') },
  run: ({ hub, options }) => listDeadLetters({ ...hub, ...options }),
  columns: {
    id: ({ id }) => id,
    queue: ({ queue }) => queue,
    kind: ({ kind }) => kind,
    since: ({ setAsideAt }) => when(setAsideAt),
    after: tries,
    error: ({ error }) => error,
  },
});

const retry = command({
  name: 'retry',
  summary: 'put an item back into its queue',
  args: { id: ID },
  run: ({ hub, args }) => retryDeadLetter({ ...hub, ...args }),
  say: () => 'It is in its queue again.',
});

const discard = command({
  name: 'discard',
  summary: 'give an item up for good',
  args: { id: ID },
  run: ({ hub, args }) => discardDeadLetter({ ...hub, ...args }),
  say: () => 'It is discarded.',
});

export const deadLetters = group('dead-letters', 'what failed too often, and its queue goes on without', [
  list,
  retry,
  discard,
]);
