import { Flavor } from '@moonbase/contract/job-specification';
import type { Domain } from '@moonbase/contract/payload';
import type { LenientWebhookInput } from '@moonbase/contract/webhooks';
import { lockAccount } from '../accounts/index.ts';
import { requireJobSource } from '../jobs/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { WebhookRow } from '../platform/database/tables.ts';
import type { Database, Executor } from '../platform/database/transaction.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { badRequest, conflict, notFound } from '../platform/http/errors.ts';
import type { Ids } from '../platform/ids.ts';
import type { Tasks } from '../platform/queue/tasks.ts';
import type { SecretBox } from '../platform/secrets.ts';
import { moveToLane, parkPending } from './delivery-store.ts';
import { laneOf } from './lane.ts';
import { targetFault, watchedFault } from './policy.ts';
import { presentWebhook } from './present.ts';
import { cancelRunning } from './replay-store.ts';
import {
  countWebhooks,
  findWebhook,
  hideWebhook,
  insertWebhook,
  listWebhooks,
  lockWebhook,
  replaceWatched,
  type StoredJob,
  updateWebhook,
  watchedBy,
} from './store.ts';

/** How long the old secret signs beside a new one. */
const OVERLAP_MS = 24 * 60 * 60 * 1000;

export type Webhooks = ReturnType<typeof createWebhooks>;

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly secretBox: SecretBox;
  readonly tasks: Tasks;
  /** At most so many webhooks a user, and watched items a webhook. */
  readonly maxWebhooks: number;
  readonly maxWatched: number;
}

export const webhookNotFound = () => notFound('There is no such webhook among yours');

/** A webhook of the caller; 404 for anybody else's. */
export async function requireWebhook(executor: Executor, caller: Caller, id: string): Promise<WebhookRow> {
  const webhook = await findWebhook(executor, caller.principal.userId, id);
  if (!webhook) throw webhookNotFound();
  return webhook;
}

export function createWebhooks(given: Dependencies) {
  const { database, clock, ids, secretBox, tasks, maxWebhooks, maxWatched } = given;

  const present = async (executor: Executor, caller: Caller, webhook: WebhookRow) => ({
    webhook: presentWebhook(caller.baseUrl, webhook, await watchedBy(executor, webhook.id)),
  });

  /** Runs a change on a webhook of the caller and answers what it is then. */
  const changing = (caller: Caller, id: string, change: (tx: Executor, webhook: WebhookRow) => Promise<void>) =>
    database.transaction(async (tx) => {
      const webhook = await lockWebhook(tx, caller.principal.userId, id);
      if (!webhook) throw webhookNotFound();
      await change(tx, webhook);
      return present(tx, caller, (await findWebhook(tx, caller.principal.userId, id)) ?? webhook);
    });

  /** The specification of a job that the caller may read, as it is now. */
  async function sourceColumns(tx: Executor, { principal }: Caller, id: string): Promise<Partial<WebhookRow>> {
    const { specification, labels, secrets } = await requireJobSource(tx, principal, id);
    const { success, data: flavor } = Flavor.safeParse(specification.flavor);
    if (!success) throw badRequest(`body.jobSourceId: a webhook cannot run jobs on ${specification.flavor}`);
    const { secretNames, ...rest } = specification;
    const job: StoredJob = {
      ...rest,
      flavor,
      secretNames: [...secretNames],
      ...(Object.keys(labels).length > 0 && { labels: { ...labels } }),
    };
    return { ...NO_TARGET, job_source_id: id, job: JSON.stringify(job), job_secrets: secrets };
  }

  /** The columns of a target that was given; none where none was. */
  async function targetColumns(
    tx: Executor,
    caller: Caller,
    input: LenientWebhookInput,
    old?: WebhookRow,
  ): Promise<Partial<WebhookRow>> {
    if (input.url !== undefined) return { ...NO_TARGET, url: input.url };
    if (input.jobSourceId !== undefined) return sourceColumns(tx, caller, input.jobSourceId);
    if (input.job === undefined) return {};
    const { secrets, ...given } = input.job;
    const before = old?.job ? (JSON.parse(old.job) as StoredJob) : undefined;
    const job: StoredJob = {
      ...(before?.arch !== undefined && { arch: before.arch }),
      ...(before?.attempts !== undefined && { attempts: before.attempts }),
      ...(before?.volumes !== undefined && { volumes: before.volumes }),
      ...given,
      secretNames: secrets ? Object.keys(secrets) : (before?.secretNames ?? []),
    };
    const sealed = secrets ? secretBox.seal(JSON.stringify(secrets)) : (before && old?.job_secrets) || null;
    return { ...NO_TARGET, job: JSON.stringify(job), job_secrets: sealed };
  }

  const secretColumn = (secret: string | undefined): Partial<WebhookRow> => {
    if (secret === undefined) return {};
    return { secret: secret === '' ? null : secretBox.seal(secret), old_secret: null, old_secret_until: null };
  };

  return {
    async list(caller: Caller) {
      const webhooks = await listWebhooks(database.executor, caller.principal.userId);
      return webhooks.map(({ webhook, watched }) => presentWebhook(caller.baseUrl, webhook, watched));
    },

    async get(caller: Caller, id: string) {
      return present(database.executor, caller, await requireWebhook(database.executor, caller, id));
    },

    async create(caller: Caller, input: LenientWebhookInput) {
      refuseFaults(input, false, maxWatched);
      const webhook: WebhookRow = {
        id: ids(),
        owner_id: caller.principal.userId,
        ...NO_TARGET,
        secret: null,
        old_secret: null,
        old_secret_until: null,
        domains: JSON.stringify(distinct(input.domains ?? ['repo', 'discussion'])),
        state: 'enabled',
        created_at: clock.now(),
        last_trigger_at: null,
        failures: 0,
        failing_since: null,
        stream_until: null,
        connection: null,
        ...secretColumn(input.secret),
      };
      return database.transaction(async (tx) => {
        await lockAccount(tx, caller.principal.userId);
        const existing = await countWebhooks(tx, caller.principal.userId);
        if (existing >= maxWebhooks)
          throw conflict(`You have ${existing} webhooks, and ${maxWebhooks} are the most; delete one first`);
        const created = { ...webhook, ...(await targetColumns(tx, caller, input)) };
        await insertWebhook(tx, created);
        await replaceWatched(tx, created.id, input.watched);
        return present(tx, caller, created);
      });
    },

    /** An absent target, secret or job secret keeps the old one; whether the webhook is enabled does not change. */
    async update(caller: Caller, id: string, input: LenientWebhookInput) {
      refuseFaults(input, true, maxWatched);
      return changing(caller, id, async (tx, webhook) => {
        const change = {
          ...(await targetColumns(tx, caller, input, webhook)),
          ...secretColumn(input.secret),
          ...(input.domains && { domains: JSON.stringify(distinct(input.domains)) }),
        };
        if (Object.keys(change).length > 0) await updateWebhook(tx, id, change);
        if (change.url !== undefined) await moveToLane(tx, webhook, laneOf({ url: change.url }));
        if (input.watched.length > 0) await replaceWatched(tx, id, input.watched);
      });
    },

    /** At once, however long its log is: that goes in the background. */
    delete: (caller: Caller, id: string) =>
      database.transaction(async (tx) => {
        if (!(await lockWebhook(tx, caller.principal.userId, id))) throw webhookNotFound();
        await hideWebhook(tx, id);
        await tasks.enqueue(tx, 'webhooks.purge', { webhookId: id });
      }),

    /** `enable` also lifts a suspension and forgets its failures; `disable` parks what is pending. */
    setState: (caller: Caller, id: string, action: 'enable' | 'disable') =>
      changing(caller, id, async (tx, webhook) => {
        if (action === 'enable') await updateWebhook(tx, id, { state: 'enabled', failures: 0, failing_since: null });
        else {
          await updateWebhook(tx, id, { state: 'disabled' });
          await parkPending(tx, webhook, 'The webhook was disabled; replay this delivery when it is wanted');
          await cancelRunning(tx, id);
        }
      }),

    async rotateSecret(caller: Caller, id: string, secret: string) {
      await changing(caller, id, (tx, webhook) =>
        updateWebhook(tx, id, {
          secret: secretBox.seal(secret),
          old_secret: webhook.secret,
          old_secret_until: webhook.secret === null ? null : clock.now() + OVERLAP_MS,
        }),
      );
    },
  };
}

const NO_TARGET = { url: null, job: null, job_source_id: null, job_secrets: null } as const;

const distinct = (domains: readonly Domain[]): Domain[] => [...new Set(domains)];

function refuseFaults(input: LenientWebhookInput, isUpdate: boolean, maxWatched: number): void {
  const fault = targetFault(input, isUpdate) ?? watchedFault(input.watched, maxWatched);
  if (fault) throw badRequest(`${fault.path}: ${fault.message}`, [fault]);
}
