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
const ID = argument('id from the list');

const tries = ({ failures, deaths }: DeadLetter): string =>
  [...(failures > 0 ? [`${failures} failures`] : []), ...(deaths > 0 ? [`${deaths} crashes`] : [])].join(', ');

const list = listing({
  name: 'list',
  summary: 'list dead letters, newest first',
  options: { queue: choice(QUEUES, 'only those of this queue') },
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
  summary: 'put a dead letter back into its queue',
  args: { id: ID },
  run: ({ hub, args }) => retryDeadLetter({ ...hub, ...args }),
  say: () => 'The item is in its queue again.\n',
});

const discard = command({
  name: 'discard',
  summary: 'discard a dead letter permanently',
  args: { id: ID },
  run: ({ hub, args }) => discardDeadLetter({ ...hub, ...args }),
  say: () => 'The item is discarded.\n',
});

export const deadLetters = group('dead-letters', 'items that queues have set aside after repeated failures', [
  list,
  retry,
  discard,
]);
