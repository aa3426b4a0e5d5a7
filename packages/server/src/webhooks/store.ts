import type { JobInput } from '@moonbase/contract/jobs';
import type { WatchedInput } from '@moonbase/contract/webhooks';
import { nameKey } from '../accounts/index.ts';
import { fromJsonRows, jsonRows } from '../platform/database/json-rows.ts';
import { prepared } from '../platform/database/prepared.ts';
import type { WatchedRow, WebhookRow } from '../platform/database/tables.ts';
import { type Executor, forUpdateOf } from '../platform/database/transaction.ts';

/** A job as it is kept: the secrets' values are apart, sealed. */
export type StoredJob = Omit<JobInput, 'secrets'> & { readonly secretNames: string[] };

/** What a webhook watches, with the picture of an account. */
export interface Watched extends Pick<WatchedRow, 'webhook_id' | 'type' | 'name'> {
  readonly accountId: string | null;
  readonly avatarUrl: string | null;
}

/** The webhooks that are there: a deleted one is not, although its row stays until its log is gone. */
const visible = (executor: Executor) => executor.selectFrom('webhooks').where('state', '<>', 'deleted');

/** What is shown of a webhook. */
export type ShownWebhook = Pick<
  WebhookRow,
  'id' | 'url' | 'job' | 'job_source_id' | 'state' | 'secret' | 'domains' | 'last_trigger_at'
>;

const SHOWN = ['id', 'url', 'job', 'job_source_id', 'state', 'secret', 'domains', 'last_trigger_at'] as const;
const WATCHED = ['webhook_id', 'type', 'name', 'accountId', 'avatarUrl'] as const;

const webhooksOf = prepared<{ ownerId: string }>()((executor, argument) =>
  executor
    .selectFrom(
      visible(executor).select(SHOWN).where('owner_id', '=', argument('ownerId')).orderBy('id').as('webhooks'),
    )
    .select(jsonRows(executor, SHOWN).as('rows')),
);

const watchedByThose = prepared<{ ownerId: string }>()((executor, argument) =>
  executor
    .selectFrom(
      watched(executor)
        .innerJoin('webhooks', 'webhooks.id', 'webhook_watched.webhook_id')
        .where('webhooks.owner_id', '=', argument('ownerId'))
        .as('items'),
    )
    .select(jsonRows(executor, WATCHED).as('rows')),
);

/** The webhooks of a user, oldest first, each with what it watches: two queries, each answering one text. */
export async function listWebhooks(executor: Executor, ownerId: string) {
  const [webhooks] = await webhooksOf(executor, { ownerId });
  const [items] = await watchedByThose(executor, { ownerId });
  const rows = fromJsonRows<ShownWebhook>(webhooks?.rows ?? '[]', SHOWN);
  const all = groupWatched(rows, fromJsonRows<Watched>(items?.rows ?? '[]', WATCHED));
  return rows.map((webhook) => ({ webhook, watched: all.get(webhook.id) ?? [] }));
}

export async function countWebhooks(executor: Executor, ownerId: string): Promise<number> {
  const { count } = await visible(executor)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('owner_id', '=', ownerId)
    .executeTakeFirstOrThrow();
  return count;
}

export const findWebhook = (executor: Executor, ownerId: string, id: string): Promise<WebhookRow | undefined> =>
  visible(executor).selectAll().where('id', '=', id).where('owner_id', '=', ownerId).executeTakeFirst();

/** The same, locked until the transaction ends. */
export const lockWebhook = (tx: Executor, ownerId: string, id: string): Promise<WebhookRow | undefined> =>
  visible(tx)
    .selectAll()
    .where('id', '=', id)
    .where('owner_id', '=', ownerId)
    .modifyEnd(forUpdateOf(tx, 'webhooks'))
    .executeTakeFirst();

export async function insertWebhook(tx: Executor, row: WebhookRow): Promise<void> {
  await tx.insertInto('webhooks').values(row).execute();
}

export async function updateWebhook(tx: Executor, id: string, change: Partial<WebhookRow>): Promise<void> {
  await tx.updateTable('webhooks').set(change).where('id', '=', id).execute();
}

/** Takes a webhook out of sight, with what it watches and its secrets; nothing is sent to it any more. */
export async function hideWebhook(tx: Executor, id: string): Promise<void> {
  await updateWebhook(tx, id, { state: 'deleted', secret: null, old_secret: null, job_secrets: null });
  await tx.deleteFrom('webhook_watched').where('webhook_id', '=', id).execute();
}

export async function removeWebhook(tx: Executor, id: string): Promise<void> {
  await tx.deleteFrom('webhooks').where('id', '=', id).execute();
}

/** Watched items in the order they were given, with the account that they stand for. */
const watched = (executor: Executor) =>
  executor
    .selectFrom('webhook_watched')
    .leftJoin('accounts', 'accounts.id', 'webhook_watched.target_id')
    .select([
      'webhook_watched.webhook_id',
      'webhook_watched.type',
      'webhook_watched.name',
      'accounts.id as accountId',
      'accounts.avatar_url as avatarUrl',
    ])
    .orderBy('webhook_watched.webhook_id')
    .orderBy('webhook_watched.position');

/** What a webhook watches. */
export const watchedBy = (executor: Executor, webhookId: string): Promise<Watched[]> =>
  watched(executor).where('webhook_watched.webhook_id', '=', webhookId).execute();

function groupWatched(webhooks: readonly ShownWebhook[], items: readonly Watched[]): Map<string, Watched[]> {
  const byWebhook = new Map<string, Watched[]>(webhooks.map(({ id }) => [id, []]));
  for (const item of items) byWebhook.get(item.webhook_id)?.push(item);
  return byWebhook;
}

/** Puts the watched items in the place of the old ones, bound to what their names stand for now. */
export async function replaceWatched(tx: Executor, webhookId: string, items: readonly WatchedInput[]): Promise<void> {
  await tx.deleteFrom('webhook_watched').where('webhook_id', '=', webhookId).execute();
  const distinct = [...new Map(items.map((item) => [`${item.type}:${nameKey(item.name)}`, item])).values()];
  const targets = await resolveTargets(tx, distinct);
  const rows = distinct.map((item, position) => ({
    webhook_id: webhookId,
    position,
    type: item.type,
    name: item.name,
    name_key: nameKey(item.name),
    target_id: targets.get(`${item.type}:${nameKey(item.name)}`) ?? null,
  }));
  for (let from = 0; from < rows.length; from += 500)
    await tx
      .insertInto('webhook_watched')
      .values(rows.slice(from, from + 500))
      .execute();
}

/** The ids behind names, whoever may see them: what a webhook is told is decided when something happens. */
async function resolveTargets(tx: Executor, items: readonly WatchedInput[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const accountKeys = [...new Set(items.map((item) => nameKey(item.name.split('/')[0] ?? '')))];
  const repoKeys = items.flatMap((item) => (item.name.includes('/') ? nameKey(item.name.split('/')[1] ?? '') : []));
  for (let from = 0; from < accountKeys.length; from += 500) {
    const accounts = await tx
      .selectFrom('accounts')
      .select(['id', 'kind', 'name_key'])
      .where('name_key', 'in', accountKeys.slice(from, from + 500))
      .execute();
    for (const account of accounts) found.set(`${account.kind}:${account.name_key}`, account.id);
    if (accounts.length === 0 || repoKeys.length === 0) continue;
    const repos = await tx
      .selectFrom('repositories')
      .innerJoin('accounts', 'accounts.id', 'repositories.owner_id')
      .select(['repositories.id', 'repositories.type', 'repositories.name_key', 'accounts.name_key as ownerKey'])
      .where(
        'repositories.owner_id',
        'in',
        accounts.map((account) => account.id),
      )
      .where('repositories.name_key', 'in', repoKeys)
      .execute();
    for (const repo of repos) found.set(`${repo.type}:${repo.ownerKey}/${repo.name_key}`, repo.id);
  }
  return found;
}

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
    .where('id', 'in', ids)
    .where((eb) => {
      const failing = eb('failing_since', 'is not', null);
      return failed.length === 0 ? failing : eb.or([failing, eb('id', 'in', failed)]);
    })
    .orderBy('id')
    .modifyEnd(forUpdateOf(tx, 'webhooks'))
    .execute();
}
