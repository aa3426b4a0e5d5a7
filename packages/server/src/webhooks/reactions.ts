import { sql } from 'kysely';
import { readersOf } from '../access/index.ts';
import { nameKey } from '../accounts/index.ts';
import type { Clock } from '../platform/clock.ts';
import { insertNew } from '../platform/database/bulk.ts';
import { afterCommit, type Executor } from '../platform/database/transaction.ts';
import type { HubEvent } from '../platform/events/record.ts';
import type { Reaction } from '../platform/events/relay.ts';
import { firstIdAt, type Ids } from '../platform/ids.ts';
import type { RepoEvent } from '../repositories/index.ts';
import { laneOf } from './lane.ts';

interface Dependencies {
  readonly clock: Clock;
  readonly ids: Ids;
  /** Triggers per webhook in any 24 hours. */
  readonly dailyLimit: number | undefined;
  readonly nudge: () => void;
}

const PAGE = 500;
const DAY_MS = 24 * 60 * 60 * 1000;

/** One delivery for each enabled webhook that watches what the event is about and whose owner may read it now. */
export function createDeliveryReaction({ clock, ids, dailyLimit, nudge }: Dependencies): Reaction {
  return async (tx, event, after = '') => {
    const data = event.data as RepoEvent;
    const webhooks = await matchingWebhooks(tx, event, data, after);
    if (webhooks.length === 0) return undefined;
    const webhookIds = webhooks.map((webhook) => webhook.id);
    const throttled = await overLimit(tx, webhookIds, dailyLimit, clock.now());
    await insertNew(
      tx,
      'deliveries',
      webhooks.map((webhook) => ({
        ...deliveryOf(event, data),
        id: ids(),
        webhook_id: webhook.id,
        lane: laneOf(webhook),
        due_at: clock.now(),
        ...(throttled.has(webhook.id) && { status: 'throttled' as const, error: THROTTLED }),
      })),
    );
    await touch(
      tx,
      webhookIds.filter((id) => !throttled.has(id)),
      event.createdAt,
    );
    afterCommit(tx, nudge);
    return webhooks.length < PAGE ? undefined : webhookIds.at(-1);
  };
}

const THROTTLED = 'Above the number of triggers a day; not sent, can be replayed';

const deliveryOf = (event: HubEvent, { scope, action, repo }: RepoEvent) => ({
  event_id: event.id,
  trigger_key: event.id,
  created_at: event.createdAt,
  status: 'pending' as const,
  lease: null,
  attempts: 0,
  kind: 'trigger' as const,
  replay_of: null,
  scope,
  action,
  repo_id: repo.id,
  repo_type: repo.type,
  repo_name: repo.name,
  repo_key: nameKey(repo.name),
  repo_owner_id: repo.ownerId,
  repo_private: repo.private ? 1 : 0,
  response_status: null,
  error: null,
  duration_ms: null,
  job_id: null,
});

/** By id where the watched name stood for something already, by name where it did not; each webhook once. */
async function matchingWebhooks(tx: Executor, event: HubEvent, { repo, from }: RepoEvent, after: string) {
  const places = from ? [repo, from] : [repo];
  const targetIds = [...new Set([repo.id, ...places.map((place) => place.ownerId)])];
  const names = places.flatMap((place) => [
    { type: repo.type, key: nameKey(place.name) },
    { type: place.ownerKind, key: nameKey(place.name.split('/')[0] ?? '') },
  ]);
  const byName = sql.join(
    names.map(({ type, key }) => sql`(type = ${type} and name_key = ${key})`),
    sql` or `,
  );
  return tx
    .selectFrom('webhooks')
    .select(['id', 'url'])
    .where(
      'id',
      'in',
      sql<string>`(
        select webhook_id from webhook_watched where target_id in (${sql.join(targetIds)})
        union select webhook_id from webhook_watched where target_id is null and (${byName})
      )`,
    )
    .where('state', '=', 'enabled')
    .where('domains', 'like', `%"${event.topic}"%`)
    .where(readersOf(repo, sql.ref('webhooks.owner_id')))
    .where('id', '>', after)
    .orderBy('id')
    .limit(PAGE)
    .execute();
}

/** The webhooks that had as many triggers as they may in the last 24 hours. */
async function overLimit(
  tx: Executor,
  webhookIds: readonly string[],
  limit: number | undefined,
  now: number,
): Promise<Set<string>> {
  if (limit === undefined) return new Set();
  const rows = await tx
    .selectFrom('deliveries')
    .select(['webhook_id', (eb) => eb.fn.countAll<number>().as('count')])
    .where('webhook_id', 'in', webhookIds)
    .where('id', '>=', firstIdAt(now - DAY_MS))
    .where('created_at', '>', now - DAY_MS)
    .where('kind', '=', 'trigger')
    .where('status', '<>', 'throttled')
    .groupBy('webhook_id')
    .execute();
  const triggers = new Map(rows.map((row) => [row.webhook_id, row.count]));
  return new Set(webhookIds.filter((id) => (triggers.get(id) ?? 0) >= limit));
}

async function touch(tx: Executor, webhookIds: readonly string[], at: number): Promise<void> {
  if (webhookIds.length === 0) return;
  await tx
    .updateTable('webhooks')
    .set({ last_trigger_at: at })
    .where('id', 'in', webhookIds)
    .where((eb) => eb.or([eb('last_trigger_at', 'is', null), eb('last_trigger_at', '<', at)]))
    .execute();
}

/** Keeps watched names with what they stand for: bound when it comes to be, renamed with it, unbound when it is gone. */
export const followNames: Reaction = async (tx, event) => {
  const { scope, action, repo } = event.data as RepoEvent;
  if (scope !== 'repo') return undefined;
  switch (action) {
    case 'create':
      await bindNames(tx, repo);
      break;
    case 'move':
      await rename(tx, repo);
      await bindNames(tx, repo);
      break;
    case 'delete':
      await tx.updateTable('webhook_watched').set({ target_id: null }).where('target_id', '=', repo.id).execute();
      break;
    case 'update':
      break;
  }
  return undefined;
};

/**
 * Watched items show the repository's new name to owners of webhooks who may read it. For the others the name they
 * know stands for nothing any more: the new one must not reach them this way.
 */
async function rename(tx: Executor, repo: RepoEvent['repo']): Promise<void> {
  const now = await tx
    .selectFrom('repositories')
    .innerJoin('accounts', 'accounts.id', 'repositories.owner_id')
    .select(['accounts.name as owner', 'repositories.name', 'repositories.private', 'repositories.owner_id'])
    .where('repositories.id', '=', repo.id)
    .executeTakeFirst();
  if (!now) return;
  const name = `${now.owner}/${now.name}`;
  const facts = { private: now.private === 1, ownerId: now.owner_id };
  const readers = tx
    .selectFrom('webhooks')
    .select('webhooks.id')
    .where(readersOf(facts, sql.ref('webhooks.owner_id')));
  const watched = tx.updateTable('webhook_watched').where('target_id', '=', repo.id);
  await watched
    .set({ name, name_key: nameKey(name) })
    .where('webhook_id', 'in', readers)
    .execute();
  await watched.set({ target_id: null }).where('webhook_id', 'not in', readers).execute();
}

/** Binds watched names that stand for nothing, or for what is gone, to the repository and its owner. */
async function bindNames(tx: Executor, repo: RepoEvent['repo']): Promise<void> {
  const account = { type: repo.ownerKind, name: repo.name.split('/')[0] ?? '', id: repo.ownerId };
  for (const { type, name, id } of [repo, account])
    await tx
      .updateTable('webhook_watched')
      .set({ target_id: id })
      .where('type', '=', type)
      .where('name_key', '=', nameKey(name))
      .where(
        sql<boolean>`(
          not exists (select 1 from accounts where accounts.id = webhook_watched.target_id)
          and not exists (select 1 from repositories where repositories.id = webhook_watched.target_id)
        )`,
      )
      .execute();
}
