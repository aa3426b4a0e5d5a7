import { expect, test } from 'vitest';
import { membershipTopic } from '../src/access/index.ts';
import { accountTopic } from '../src/accounts/index.ts';
import { pruneAuditLogTask } from '../src/audit-log/index.ts';
import { invitationTopic } from '../src/members/index.ts';
import { organizationTopic, purgeTask } from '../src/organizations/index.ts';
import type { Executor } from '../src/platform/database/transaction.ts';
import type { Events } from '../src/platform/events/events.ts';
import { onTopic, type Reaction } from '../src/platform/events/reaction.ts';
import { onSchedule, onTask, type Tasks } from '../src/platform/queue/tasks.ts';

const ends = async () => undefined;

/** The functions are never called: the compiler refuses each one, or else complains about its directive. */
const refused = {
  recording: (tx: Executor, events: Events, { userId, orgId }: { userId: string; orgId: string }) => [
    // @ts-expect-error: a topic is not named by text
    events.record(tx, 'organization', { orgId }),
    // @ts-expect-error: nothing is left out
    events.record(tx, membershipTopic, { orgId, userId, role: 'read', actorId: userId }),
    // @ts-expect-error: nothing is misspelled
    events.record(tx, organizationTopic, { orgid: orgId }),
    // @ts-expect-error: nothing is added
    events.record(tx, organizationTopic, { orgId, userId }),
    // @ts-expect-error: there are no other values
    events.record(tx, accountTopic, { action: 'renamed', accountId: userId, kind: 'user', before: 'alice' }),
    // @ts-expect-error: a quiet event has the form of its topic as well
    events.recordQuiet(tx, organizationTopic, {}),
  ],
  reacting: (ofInvitation: Reaction<{ invitationId: string }>) => [
    // @ts-expect-error: a reaction to invitations is not one to organizations
    onTopic(organizationTopic, { ofInvitation }),
    // @ts-expect-error: an organization has no name in its event
    onTopic(organizationTopic, { ends: async (_tx, { data }) => data.name }),
    onTopic(invitationTopic, { ofInvitation, ends }),
  ],
  enqueueing: (tx: Executor, tasks: Tasks, orgId: string) => [
    // @ts-expect-error: a kind of task is not named by text
    tasks.enqueue(tx, 'organizations.purge', { orgId, deletedAt: 0 }),
    // @ts-expect-error: nothing is left out
    tasks.enqueue(tx, purgeTask, { orgId }),
    // @ts-expect-error: a step leaves what the next one reads
    onTask(purgeTask, async () => ({ data: { orgId } })),
    // @ts-expect-error: a task with an initial state is not started by the clock
    onSchedule(purgeTask, 1000, async () => 'done'),
    onSchedule(pruneAuditLogTask, 1000, async (_tx, { data }) => ({ data })),
  ],
};

test('data that does not match its topic or kind does not compile', () => {
  expect(Object.keys(refused)).toEqual(['recording', 'reacting', 'enqueueing']);
});
