import { Flavor } from '@moonbase/contract/jobs/specification';
import type { Domain } from '@moonbase/contract/webhooks/payload';
import type { LenientWebhookInput } from '@moonbase/contract/webhooks/webhooks';
import { requirePermission } from '../../access/index.ts';
import { lockAccount } from '../../accounts/index.ts';
import { requireJobSource } from '../../jobs/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Executor, ReadExecutor } from '../../platform/database/transaction.ts';
import type { Caller } from '../../platform/http/authenticate.ts';
import { badRequest, conflict } from '../../platform/http/errors.ts';
import type { Ids } from '../../platform/ids.ts';
import { normalUrl } from '../../platform/outbound/target-url.ts';
import type { Tasks } from '../../platform/queue/tasks.ts';
import { opens, type SealedAt, type SecretBox } from '../../platform/secrets.ts';
import { requireSources } from '../../repositories/index.ts';
import { moveToLane, parkPending } from '../delivery/delivery-store.ts';
import { purgeWebhookTask } from '../log/prune.ts';
import { laneOf } from '../matching/lane.ts';
import { cancelRunning } from '../replays/store.ts';
import type { WebhookRow } from '../tables.ts';
import { jobSources, reachedAmong, requireNothingBeyond } from './authority.ts';
import { beginChange, changeWebhook, insertWebhook, type NewWebhook, replaceWatched } from './history.ts';
import { lockOwn, requireWebhook } from './own-webhook.ts';
import { sealedAt, targetFault, watchedFault } from './policy.ts';
import { presentWebhook } from './present.ts';
import {
  countWebhooks,
  findWebhook,
  hideWebhook,
  listWebhooks,
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

export function createWebhooks(given: Dependencies) {
  const { database, clock, ids, secretBox, tasks, maxWebhooks, maxWatched } = given;

  const present = async (executor: ReadExecutor, caller: Caller, webhook: WebhookRow) => ({
    webhook: presentWebhook(caller.baseUrl, webhook, await watchedBy(executor, webhook.id)),
  });

  /** Runs a change on a webhook of the caller and answers what it is then. */
  const changing = (caller: Caller, id: string, change: (tx: Executor, webhook: WebhookRow) => Promise<void>) =>
    database.transaction(async (tx) => {
      const webhook = await lockOwn(tx, caller, id);
      await change(tx, webhook);
      return present(tx, caller, (await findWebhook(tx, caller.principal.userId, id)) ?? webhook);
    });

  /** The specification of a job that the caller may read, as it is now. */
  async function sourceColumns(
    tx: Executor,
    { principal }: Caller,
    id: string,
    at: SealedAt,
  ): Promise<Partial<WebhookRow>> {
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
    const sealed = moved(secrets, { table: 'jobs', column: 'secrets', id }, at);
    if (secrets !== null && sealed === null)
      throw conflict('The secrets of this job cannot be read; give the job anew');
    return { ...NO_TARGET, job_source_id: id, job: JSON.stringify(job), job_secrets: sealed };
  }

  /** The columns of a target that was given; none where none was. */
  async function targetColumns(
    tx: Executor,
    caller: Caller,
    input: LenientWebhookInput,
    { id, old }: { readonly id: string; readonly old?: WebhookRow },
  ): Promise<Partial<WebhookRow>> {
    const { principal } = caller;
    const at = sealedAt('job_secrets', id);
    if (input.url !== undefined) return { ...NO_TARGET, url: normalUrl(input.url) };
    if (input.job !== undefined || input.jobSourceId !== undefined)
      requirePermission(principal, 'job.write', [principal.userId]);
    if (input.jobSourceId !== undefined) return sourceColumns(tx, caller, input.jobSourceId, at);
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
    const sealed = secrets ? secretBox.seal(JSON.stringify(secrets), at) : (before && old?.job_secrets) || null;
    return { ...NO_TARGET, job: JSON.stringify(job), job_secrets: sealed };
  }

  const secretColumn = (id: string, secret: string | undefined): Partial<WebhookRow> => {
    if (secret === undefined) return {};
    const sealed = secret === '' ? null : secretBox.seal(secret, sealedAt('secret', id));
    return { secret: sealed, old_secret: null, old_secret_until: null };
  };

  /** Seals a value for another place; one that does not open is lost. */
  const moved = (sealed: string | null, from: SealedAt, to: SealedAt): string | null =>
    sealed !== null && opens(secretBox, sealed, from) ? secretBox.seal(secretBox.open(sealed, from), to) : null;

  return {
    async list(caller: Caller) {
      const webhooks = await listWebhooks(database.read, caller.principal.userId);
      const reached = await reachedAmong(
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
        domains: JSON.stringify(distinct(input.domains ?? ['repo', 'discussion'])),
        state: 'enabled',
        created_at: clock.now(),
        last_trigger_at: null,
        failures: 0,
        failing_since: null,
        stream_until: null,
        connection: null,
        ...secretColumn(id, input.secret),
      };
      return database.transaction(async (tx) => {
        await lockAccount(tx, caller.principal.userId);
        const existing = await countWebhooks(tx, caller.principal.userId);
        if (existing >= maxWebhooks)
          throw conflict(`You have ${existing} webhooks, and ${maxWebhooks} are the most; delete one first`);
        const wanted = { ...webhook, ...(await targetColumns(tx, caller, input, { id })) };
        await requireSources(tx, caller.principal, [...input.watched, ...jobSources(wanted, 'write')]);
        const change = beginChange(tx, clock.now());
        const created = await insertWebhook(tx, wanted, change);
        await replaceWatched(tx, created.id, input.watched, change);
        return present(tx, caller, created);
      });
    },

    /** An absent target, secret or job secret keeps the old one; whether the webhook is enabled does not change. */
    async update(caller: Caller, id: string, input: LenientWebhookInput) {
      refuseFaults(input, true, maxWatched);
      return changing(caller, id, async (tx, webhook) => {
        const target = await targetColumns(tx, caller, input, { id, old: webhook });
        const { principal } = caller;
        await requireSources(tx, principal, [...input.watched, ...jobSources({ ...webhook, ...target }, 'write')]);
        if (Object.keys(target).length > 0) await requireNothingBeyond(tx, principal, webhook);
        const wanted = {
          ...target,
          ...secretColumn(id, input.secret),
          ...(input.domains && { domains: JSON.stringify(distinct(input.domains)) }),
        };
        const change = beginChange(tx, clock.now());
        if (Object.keys(wanted).length > 0) await changeWebhook(tx, webhook, wanted, change);
        if (wanted.url !== undefined) await moveToLane(tx, webhook, laneOf({ url: wanted.url }));
        if (input.watched.length > 0) await replaceWatched(tx, id, input.watched, change);
      });
    },

    /** At once, however long its log is: that goes in the background. */
    delete: (caller: Caller, id: string) =>
      database.transaction(async (tx) => {
        await lockOwn(tx, caller, id);
        await hideWebhook(tx, id);
        await tasks.enqueue(tx, purgeWebhookTask, { webhookId: id });
      }),

    /** `enable` also lifts a suspension and forgets its failures; `disable` parks what is pending. */
    setState: (caller: Caller, id: string, action: 'enable' | 'disable') =>
      changing(caller, id, async (tx, webhook) => {
        const change = beginChange(tx, clock.now());
        if (action === 'enable') {
          const well = { state: 'enabled', failures: 0, failing_since: null } as const;
          await changeWebhook(tx, webhook, well, change);
        } else {
          await changeWebhook(tx, webhook, { state: 'disabled' }, change);
          await parkPending(tx, webhook, 'The webhook was disabled; replay this delivery when it is wanted');
          await cancelRunning(tx, id);
        }
      }),

    async rotateSecret(caller: Caller, id: string, secret: string) {
      await changing(caller, id, (tx, webhook) => {
        const old = moved(webhook.secret, sealedAt('secret', id), sealedAt('old_secret', id));
        return updateWebhook(tx, id, {
          secret: secretBox.seal(secret, sealedAt('secret', id)),
          old_secret: old,
          old_secret_until: old === null ? null : clock.now() + OVERLAP_MS,
        });
      });
    },
  };
}

const NO_TARGET = { url: null, job: null, job_source_id: null, job_secrets: null } as const;

const distinct = (domains: readonly Domain[]): Domain[] => [...new Set(domains)];

function refuseFaults(input: LenientWebhookInput, isUpdate: boolean, maxWatched: number): void {
  const fault = targetFault(input, isUpdate) ?? watchedFault(input.watched, maxWatched);
  if (fault) throw badRequest(`${fault.path}: ${fault.message}`, [fault]);
}
