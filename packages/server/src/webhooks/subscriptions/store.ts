import { sql } from 'kysely';
import { countUpTo } from '../../platform/database/count-up-to.ts';
import { asText, jsonRows } from '../../platform/database/packed/json-rows.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { type Executor, forUpdateOf, type ReadExecutor } from '../../platform/database/transaction.ts';
import { type TextList, textList, whereIn } from '../../platform/database/where-in.ts';
import { parseJson } from '../../platform/stored-form.ts';
import type { WatchedRow, WebhookRow } from '../tables.ts';

/** An item that a webhook watches; with an avatar where it is an account. */
export interface Watched extends Pick<WatchedRow, 'type' | 'name'> {
  readonly accountId: string | null;
  readonly avatarUrl: string | null;
}

/** Selects webhooks without streams and without deleted ones, whose rows stay until their logs are deleted. */
const visible = (executor: ReadExecutor) =>
  executor.selectFrom('webhooks').where('state', '<>', 'deleted').where('stream_until', 'is', null);

/** The columns of a webhook that callers see. */
export type ShownWebhook = Pick<
  WebhookRow,
  'id' | 'url' | 'job' | 'job_source_id' | 'state' | 'secret' | 'domains' | 'last_trigger_at' | 'name' | 'description'
>;

const watchedAsJson = (executor: ReadExecutor) => sql`(
  select ${jsonRows<WatchedTuple>(executor, ['webhook_watched.position', 'webhook_watched.type', 'webhook_watched.name', 'accounts.id', 'accounts.avatar_url'])}
  from webhook_watched left join accounts on accounts.id = webhook_watched.target_id
  where webhook_watched.webhook_id = webhooks.id and webhook_watched.until is null
)`;

const SHOWN = [
  ...['id', 'url', 'job', 'job_source_id', 'state', 'secret', 'domains', 'last_trigger_at', 'name', 'description'],
] as const;

const shownOf = prepared<{ ownerId: string }>()((executor, argument) =>
  visible(executor)
    .select(
      asText(
        executor,
        jsonRows<ShownTuple>(executor, [...SHOWN.map((column) => `webhooks.${column}`), watchedAsJson(executor)]),
      ).as('rows'),
    )
    .where('owner_id', '=', argument('ownerId')),
);

/** The columns of SHOWN, then the watched items. */
type ShownTuple = [
  id: string,
  url: ShownWebhook['url'],
  job: ShownWebhook['job'],
  jobSourceId: ShownWebhook['job_source_id'],
  state: ShownWebhook['state'],
  secret: ShownWebhook['secret'],
  domains: ShownWebhook['domains'],
  lastTriggerAt: ShownWebhook['last_trigger_at'],
  name: string | null,
  description: string | null,
  watched: WatchedTuple[],
];

type WatchedTuple = [
  position: number,
  type: Watched['type'],
  name: string,
  accountId: string | null,
  avatarUrl: string | null,
];

/** Returns the webhooks of a user, oldest first, each with what it watches in the order it was given, by one query. */
export async function listWebhooks(
  executor: ReadExecutor,
  ownerId: string,
): Promise<{ webhook: ShownWebhook; watched: Watched[] }[]> {
  const [found] = await shownOf(executor, { ownerId });
  const rows = parseJson<ShownTuple[]>(found?.rows ?? '[]');
  return rows
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, url, job, job_source_id, state, secret, domains, last_trigger_at, name, description, watched]) => ({
      webhook: { id, url, job, job_source_id, state, secret, domains, last_trigger_at, name, description },
      watched: watched
        .sort(([a], [b]) => a - b)
        .map(([, type, name, accountId, avatarUrl]) => ({ type, name, accountId, avatarUrl })),
    }));
}

/** Returns what tells how the webhooks of a user fare, oldest first. */
export const listFaring = (executor: ReadExecutor, ownerId: string) =>
  visible(executor)
    .select(['id', 'job', 'job_source_id', 'state', 'failing_since', 'last_attempt', 'suspension'])
    .where('owner_id', '=', ownerId)
    .orderBy('id')
    .execute();

/** Counts the webhooks of a user, up to `max`. */
export const countWebhooks = (executor: ReadExecutor, ownerId: string, max: number): Promise<number> =>
  countUpTo(
    executor,
    sql`from webhooks where owner_id = ${ownerId} and state <> 'deleted' and stream_until is null`,
    max,
  );

export const findWebhook = (executor: ReadExecutor, ownerId: string, id: string): Promise<WebhookRow | undefined> =>
  visible(executor).selectAll().where('id', '=', id).where('owner_id', '=', ownerId).executeTakeFirst();

/** Returns a webhook of a user, locked until the transaction ends. */
export const lockWebhook = (tx: Executor, ownerId: string, id: string): Promise<WebhookRow | undefined> =>
  visible(tx)
    .selectAll()
    .where('id', '=', id)
    .where('owner_id', '=', ownerId)
    .modifyEnd(forUpdateOf(tx, 'webhooks'))
    .executeTakeFirst();

/** Updates columns that play no part in matching; `changeWebhook` changes the others. */
export async function updateWebhook(tx: Executor, id: string, change: Partial<WebhookRow>): Promise<void> {
  await tx.updateTable('webhooks').set(change).where('id', '=', id).execute();
}

/** Marks a webhook as deleted: nobody sees it, nothing is sent to it, its secrets and watched items are deleted. */
export async function markDeleted(tx: Executor, id: string): Promise<void> {
  await updateWebhook(tx, id, { state: 'deleted', secret: null, old_secret: null, job_secrets: null });
  await tx.deleteFrom('webhook_watched').where('webhook_id', '=', id).execute();
}

/** Deletes rotated secrets that no longer sign. */
export async function deleteOldSecrets(tx: Executor, now: number): Promise<void> {
  await tx
    .updateTable('webhooks')
    .set({ old_secret: null, old_secret_until: null })
    .where('old_secret', 'is not', null)
    .where('old_secret_until', '<=', now)
    .execute();
}

export async function deleteWebhook(tx: Executor, id: string): Promise<void> {
  await tx.deleteFrom('webhooks').where('id', '=', id).execute();
}

/** Returns what a webhook watches, in the order it was given, with the accounts of items that are accounts. */
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

/** Returns what some webhooks watch, as sources of content. */
export const watchedSources = (executor: ReadExecutor, webhookIds: readonly string[]) =>
  sources(executor, webhookIds).where('until', 'is', null).execute();

/** Returns what some webhooks watched before and what events from an epoch on still match. */
export const formerSources = (executor: Executor, webhookIds: readonly string[], epoch: number) =>
  sources(executor, webhookIds).where('until', '>', epoch).execute();

const sources = (executor: ReadExecutor, webhookIds: readonly string[]) =>
  executor
    .selectFrom('webhook_watched')
    .select(['webhook_id as webhookId', 'type', 'name', 'target_id as targetId'])
    .where(whereIn(executor, 'webhook_id', webhookIds));

/** Returns a webhook of any owner, locked until the transaction ends: for work in the background. */
export const lockWebhookById = async (tx: Executor, id: string): Promise<WebhookRow | undefined> =>
  (await lockAffected(tx, [id], [id]))[0];

const affected = prepared<{ ids: TextList; failedIds: TextList }>()((tx: Executor, argument) =>
  visible(tx)
    .selectAll()
    .where(whereIn(tx, 'id', argument('ids')))
    .where((eb) => eb.or([eb('failing_since', 'is not', null), whereIn(tx, 'id', argument('failedIds'))]))
    .orderBy('id')
    .modifyEnd(forUpdateOf(tx, 'webhooks')),
);

/** Locks, in the order of ids, the webhooks whose failure state attempts can change: failing ones, and those in `failedIds`. */
export async function lockAffected(
  tx: Executor,
  ids: readonly string[],
  failedIds: readonly string[],
): Promise<WebhookRow[]> {
  if (ids.length === 0) return [];
  return affected(tx, { ids: textList(tx, ids), failedIds: textList(tx, failedIds) });
}
