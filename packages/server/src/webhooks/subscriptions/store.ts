import type { JobInput } from '@moonbase/contract/jobs/specification';
import { sql } from 'kysely';
import { asText, jsonRows } from '../../platform/database/json-rows.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { type Executor, forUpdateOf, type ReadExecutor } from '../../platform/database/transaction.ts';
import { whereIn } from '../../platform/database/where-in.ts';
import type { WatchedRow, WebhookRow } from '../tables.ts';

/** A job as it is kept: the secrets' values are apart, sealed. */
export type StoredJob = Omit<JobInput, 'secrets'> & { readonly secretNames: string[] };

/** What a webhook watches, with the picture of an account. */
export interface Watched extends Pick<WatchedRow, 'type' | 'name'> {
  readonly accountId: string | null;
  readonly avatarUrl: string | null;
}

/** The webhooks that are there: a deleted one is not, although its row stays until its log is gone; nor is a stream. */
const visible = (executor: ReadExecutor) =>
  executor.selectFrom('webhooks').where('state', '<>', 'deleted').where('stream_until', 'is', null);

/** What is shown of a webhook. */
export type ShownWebhook = Pick<
  WebhookRow,
  'id' | 'url' | 'job' | 'job_source_id' | 'state' | 'secret' | 'domains' | 'last_trigger_at'
>;

const watchedAsJson = (executor: ReadExecutor) => sql`(
  select ${jsonRows(executor, ['webhook_watched.position', 'webhook_watched.type', 'webhook_watched.name', 'accounts.id', 'accounts.avatar_url'])}
  from webhook_watched left join accounts on accounts.id = webhook_watched.target_id
  where webhook_watched.webhook_id = webhooks.id and webhook_watched.until is null
)`;

const SHOWN = ['id', 'url', 'job', 'job_source_id', 'state', 'secret', 'domains', 'last_trigger_at'] as const;

const shownOf = prepared<{ ownerId: string }>()((executor, argument) =>
  visible(executor)
    .select(
      asText(
        executor,
        jsonRows(executor, [...SHOWN.map((column) => `webhooks.${column}`), watchedAsJson(executor)]),
      ).as('rows'),
    )
    .where('owner_id', '=', argument('ownerId')),
);

/** A webhook as that query has it: the columns of SHOWN, then what it watches. */
type ShownArray = [
  id: string,
  url: ShownWebhook['url'],
  job: ShownWebhook['job'],
  jobSourceId: ShownWebhook['job_source_id'],
  state: ShownWebhook['state'],
  secret: ShownWebhook['secret'],
  domains: string,
  lastTriggerAt: ShownWebhook['last_trigger_at'],
  watched: [
    position: number,
    type: Watched['type'],
    name: string,
    accountId: string | null,
    avatarUrl: string | null,
  ][],
];

/** The webhooks of a user, oldest first, each with what it watches, in the order it was given: one query, one text. */
export async function listWebhooks(
  executor: ReadExecutor,
  ownerId: string,
): Promise<{ webhook: ShownWebhook; watched: Watched[] }[]> {
  const [answer] = await shownOf(executor, { ownerId });
  const rows = JSON.parse(answer?.rows ?? '[]') as ShownArray[];
  return rows
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, url, job, job_source_id, state, secret, domains, last_trigger_at, watched]) => ({
      webhook: { id, url, job, job_source_id, state, secret, domains, last_trigger_at },
      watched: watched
        .sort(([a], [b]) => a - b)
        .map(([, type, name, accountId, avatarUrl]) => ({ type, name, accountId, avatarUrl })),
    }));
}

export async function countWebhooks(executor: Executor, ownerId: string): Promise<number> {
  const { count } = await visible(executor)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('owner_id', '=', ownerId)
    .executeTakeFirstOrThrow();
  return count;
}

export const findWebhook = (executor: ReadExecutor, ownerId: string, id: string): Promise<WebhookRow | undefined> =>
  visible(executor).selectAll().where('id', '=', id).where('owner_id', '=', ownerId).executeTakeFirst();

/** The same, locked until the transaction ends. */
export const lockWebhook = (tx: Executor, ownerId: string, id: string): Promise<WebhookRow | undefined> =>
  visible(tx)
    .selectAll()
    .where('id', '=', id)
    .where('owner_id', '=', ownerId)
    .modifyEnd(forUpdateOf(tx, 'webhooks'))
    .executeTakeFirst();

/** Changes what plays no part in matching; everything else is changed by `changeWebhook`. */
export async function updateWebhook(tx: Executor, id: string, change: Partial<WebhookRow>): Promise<void> {
  await tx.updateTable('webhooks').set(change).where('id', '=', id).execute();
}

/** Takes a webhook out of sight, with what it watches and its secrets; nothing is sent to it any more. */
export async function hideWebhook(tx: Executor, id: string): Promise<void> {
  await updateWebhook(tx, id, { state: 'deleted', secret: null, old_secret: null, job_secrets: null });
  await tx.deleteFrom('webhook_watched').where('webhook_id', '=', id).execute();
}

/** Forgets secrets that were rotated away and do not sign any more. */
export async function deleteOldSecrets(tx: Executor, now: number): Promise<void> {
  await tx
    .updateTable('webhooks')
    .set({ old_secret: null, old_secret_until: null })
    .where('old_secret', 'is not', null)
    .where('old_secret_until', '<=', now)
    .execute();
}

export async function removeWebhook(tx: Executor, id: string): Promise<void> {
  await tx.deleteFrom('webhooks').where('id', '=', id).execute();
}

/** What a webhook watches, in the order it was given, with the accounts that it stands for. */
export const watchedBy = (executor: ReadExecutor, webhookId: string): Promise<Watched[]> =>
  executor
    .selectFrom('webhook_watched')
    .leftJoin('accounts', 'accounts.id', 'webhook_watched.target_id')
    .select([
      'webhook_watched.type',
      'webhook_watched.name',
      'accounts.id as accountId',
      'accounts.avatar_url as avatarUrl',
    ])
    .where('webhook_watched.webhook_id', '=', webhookId)
    .where('webhook_watched.until', 'is', null)
    .orderBy('webhook_watched.position')
    .execute();

/** What some webhooks watch, as sources of content. */
export const watchedSources = (executor: ReadExecutor, webhookIds: readonly string[]) =>
  sources(executor, webhookIds).where('until', 'is', null).execute();

/** What some webhooks watched before, of that what holds for events from an epoch on. */
export const formerSources = (executor: Executor, webhookIds: readonly string[], epoch: number) =>
  sources(executor, webhookIds).where('until', '>', epoch).execute();

const sources = (executor: ReadExecutor, webhookIds: readonly string[]) =>
  executor
    .selectFrom('webhook_watched')
    .select(['webhook_id as webhookId', 'type', 'name', 'target_id as targetId'])
    .where(whereIn(executor, 'webhook_id', webhookIds));

/** By id alone: for work in the background, which acts for every owner. */
export const lockWebhookById = async (tx: Executor, id: string): Promise<WebhookRow | undefined> =>
  (await lockConcerned(tx, [id], [id]))[0];

/** Of the delivered and failed to, those whose standing that can change, always locked in one order. */
export async function lockConcerned(
  tx: Executor,
  ids: readonly string[],
  failed: readonly string[],
): Promise<WebhookRow[]> {
  if (ids.length === 0) return [];
  return visible(tx)
    .selectAll()
    .where(whereIn(tx, 'id', ids))
    .where((eb) => eb.or([eb('failing_since', 'is not', null), whereIn(tx, 'id', failed)]))
    .orderBy('id')
    .modifyEnd(forUpdateOf(tx, 'webhooks'))
    .execute();
}
