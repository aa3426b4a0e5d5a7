import type { JobInput } from '@moonbase/contract/jobs';
import type { WatchedInput } from '@moonbase/contract/webhooks';
import { nameKey } from '../accounts/index.ts';
import { jsonRows } from '../platform/database/json-rows.ts';
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

const SHOWN = {
  id: 'id',
  url: 'url',
  job: 'job',
  job_source_id: 'job_source_id',
  state: 'state',
  secret: 'secret',
  domains: 'domains',
  last_trigger_at: 'last_trigger_at',
};

const webhooksOf = prepared<{ ownerId: string }>()((executor, argument) =>
  visible(executor).select(jsonRows(executor, SHOWN).as('rows')).where('owner_id', '=', argument('ownerId')),
);

const WATCHED = {
  webhook_id: 'webhook_watched.webhook_id',
  position: 'position',
  type: 'webhook_watched.type',
  name: 'webhook_watched.name',
  accountId: 'accounts.id',
  avatarUrl: 'accounts.avatar_url',
};

const watchedByThose = prepared<{ ownerId: string }>()((executor, argument) =>
  executor
    .selectFrom('webhooks')
    .innerJoin('webhook_watched', 'webhook_watched.webhook_id', 'webhooks.id')
    .leftJoin('accounts', 'accounts.id', 'webhook_watched.target_id')
    .select(jsonRows(executor, WATCHED).as('rows'))
    .where('webhooks.owner_id', '=', argument('ownerId')),
);

/** The webhooks of a user, oldest first, each with what it watches: two queries, each answering one text. */
export async function listWebhooks(executor: Executor, ownerId: string) {
  const [webhooks] = await webhooksOf(executor, { ownerId });
  const [items] = await watchedByThose(executor, { ownerId });
  const all = new Map<string, (Watched & { readonly position: number })[]>();
  const rows = JSON.parse(webhooks?.rows ?? '[]') as ShownWebhook[];
  for (const { id } of rows) all.set(id, []);
  for (const item of JSON.parse(items?.rows ?? '[]') as (Watched & { readonly position: number })[])
    all.get(item.webhook_id)?.push(item);
  return rows
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .map((webhook) => ({ webhook, watched: (all.get(webhook.id) ?? []).sort((a, b) => a.position - b.position) }));
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

/** What a webhook watches, in the order it was given, with the accounts that it stands for. */
export const watchedBy = (executor: Executor, webhookId: string): Promise<Watched[]> =>
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
    .where('webhook_watched.webhook_id', '=', webhookId)
    .orderBy('webhook_watched.position')
    .execute();

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
