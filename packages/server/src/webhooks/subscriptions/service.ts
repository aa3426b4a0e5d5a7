import type { Domain } from '@moonbase/contract/webhooks/payload';
import type { LenientWebhookInput } from '@moonbase/contract/webhooks/webhooks';
import type { Clock } from '../../platform/clock.ts';
import type { Database, ReadExecutor } from '../../platform/database/transaction.ts';
import type { Caller } from '../../platform/http/authenticate.ts';
import { badRequest } from '../../platform/http/errors.ts';
import type { Ids } from '../../platform/ids.ts';
import type { Tasks } from '../../platform/queue/tasks.ts';
import type { SecretBox } from '../../platform/secrets.ts';
import { toJson } from '../../platform/stored-form.ts';
import { requireReachableSources } from '../../repositories/index.ts';
import { purgeWebhookTask } from '../log/prune.ts';
import { laneOf } from '../matching/lane.ts';
import { NOTHING, type PendingChanges } from '../pending/changes.ts';
import type { WebhookRow } from '../tables.ts';
import { filterReached, jobSources, jobToken, requireNothingBeyond } from './authority.ts';
import { beginChange, changeWebhook, insertWebhook, type NewWebhook, replaceWatched } from './history.ts';
import { lockOwn, requireWebhook } from './own-webhook.ts';
import { targetFault, watchedFault } from './policy.ts';
import { presentWebhook } from './present.ts';
import { requireRoom } from './room.ts';
import { rotatedColumns, secretColumns } from './sealed-columns.ts';
import { createSetState, type RunChange } from './set-state.ts';
import { findWebhook, listWebhooks, markDeleted, updateWebhook, watchedBy } from './store.ts';
import { createTargetColumns, NO_TARGET } from './target-columns.ts';

export type Webhooks = ReturnType<typeof createWebhooks>;

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly secretBox: SecretBox;
  readonly tasks: Tasks;
  readonly pending: PendingChanges;
  /** The webhooks that a user without a quota of their own may have, and the items that a webhook may watch. */
  readonly maxWebhooks: number;
  readonly maxWatched: number;
}

/** The webhooks of users: created, shown, changed and deleted by their owners. */
export function createWebhooks(given: Dependencies) {
  const { database, clock, ids, secretBox, tasks, pending, maxWebhooks, maxWatched } = given;
  const targetColumns = createTargetColumns(given);

  const present = async (executor: ReadExecutor, caller: Caller, webhook: WebhookRow) => ({
    webhook: presentWebhook(caller.baseUrl, webhook, await watchedBy(executor, webhook.id)),
  });

  /** Runs a change on a locked webhook of the caller, and what is left to do after it; returns the webhook as the change left it. */
  const runChange: RunChange = async (caller, id, change) => {
    const { shown, rest } = await database.transaction(async (tx) => {
      const webhook = await lockOwn(tx, caller, id);
      const left = await change(tx, webhook);
      const changed = (await findWebhook(tx, caller.principal.userId, id)) ?? webhook;
      return { shown: await present(tx, caller, changed), rest: left };
    });
    await rest();
    return shown;
  };

  return {
    async list(caller: Caller) {
      const webhooks = await listWebhooks(database.read, caller.principal.userId);
      const reached = await filterReached(
        database.read,
        caller.principal,
        webhooks.map(({ webhook }) => webhook),
      );
      const shown = new Set(reached.map(({ id }) => id));
      return webhooks
        .filter(({ webhook }) => shown.has(webhook.id))
        .map(({ webhook, watched }) => presentWebhook(caller.baseUrl, webhook, watched));
    },

    async get(caller: Caller, id: string) {
      return present(database.read, caller, await requireWebhook(database.read, caller, id, 'read'));
    },

    async create(caller: Caller, input: LenientWebhookInput) {
      refuseFaults(input, false, maxWatched);
      const id = ids();
      const webhook: NewWebhook = {
        id,
        owner_id: caller.principal.userId,
        ...NO_TARGET,
        secret: null,
        old_secret: null,
        old_secret_until: null,
        domains: toJson(distinct(input.domains ?? ['repo', 'discussion'])),
        ...NEVER_SENT,
        created_at: clock.now(),
        ...secretColumns(secretBox, id, input.secret),
        ...labelColumns(input),
      };
      return database.transaction(async (tx) => {
        await requireRoom(tx, caller.principal.userId, maxWebhooks);
        const target = { ...webhook, ...(await targetColumns(tx, caller, input, { id })) };
        const wanted = { ...target, ...jobToken(target, caller.principal) };
        await requireReachableSources(tx, caller.principal, [...input.watched, ...jobSources(wanted, 'write')]);
        const change = beginChange(tx, clock.now());
        const created = await insertWebhook(tx, wanted, change);
        await replaceWatched(tx, created.id, input.watched, change);
        return present(tx, caller, created);
      });
    },

    /** Changes a webhook, which stays enabled or disabled. An absent target, secret or job secret keeps the old one. */
    async update(caller: Caller, id: string, input: LenientWebhookInput) {
      refuseFaults(input, true, maxWatched);
      return runChange(caller, id, async (tx, webhook) => {
        const target = await targetColumns(tx, caller, input, { id, old: webhook });
        const { principal } = caller;
        await requireReachableSources(tx, principal, [
          ...input.watched,
          ...jobSources({ ...webhook, ...target }, 'write'),
        ]);
        if (Object.keys(target).length > 0) await requireNothingBeyond(tx, principal, webhook);
        const wanted = {
          ...target,
          ...jobToken({ ...webhook, ...target }, principal),
          ...secretColumns(secretBox, id, input.secret),
          ...labelColumns(input),
          ...(input.domains && { domains: toJson(distinct(input.domains)) }),
        };
        const change = beginChange(tx, clock.now());
        if (Object.keys(wanted).length > 0) await changeWebhook(tx, webhook, wanted, change);
        if (input.watched.length > 0) await replaceWatched(tx, id, input.watched, change);
        return wanted.url === undefined ? NOTHING : pending.move(tx, webhook, laneOf({ url: wanted.url }));
      });
    },

    /** Hides a webhook at once; a task deletes its log and its row. */
    delete: (caller: Caller, id: string) =>
      database.transaction(async (tx) => {
        await lockOwn(tx, caller, id);
        await markDeleted(tx, id);
        await tasks.enqueue(tx, purgeWebhookTask, { webhookId: id });
      }),

    setState: createSetState({ database, clock, pending, runChange }),

    async rotateSecret(caller: Caller, id: string, secret: string) {
      await runChange(caller, id, async (tx, webhook) => {
        await updateWebhook(tx, id, rotatedColumns(secretBox, webhook, secret, clock.now()));
        return NOTHING;
      });
    },
  };
}

/** The columns of a webhook to which nothing was sent. */
const NEVER_SENT = {
  state: 'enabled',
  ...{ last_trigger_at: null, failures: 0, failing_since: null, last_attempt: null },
  ...{ suspension: null, stream_until: null, connection: null, name: null, description: null },
} as const;

/** Returns the columns of the name and the description that a caller gives: undefined keeps one, an empty text removes it. */
const labelColumns = ({ name, description }: LenientWebhookInput) => ({
  ...(name !== undefined && { name: name || null }),
  ...(description !== undefined && { description: description || null }),
});

const distinct = (domains: readonly Domain[]): Domain[] => [...new Set(domains)];

function refuseFaults(input: LenientWebhookInput, isUpdate: boolean, maxWatched: number): void {
  const fault = targetFault(input, isUpdate) ?? watchedFault(input.watched, maxWatched);
  if (fault) throw badRequest(`${fault.path}: ${fault.message}`, [fault]);
}
