import { type RawBuilder, sql } from 'kysely';
import { entitled, known } from '../../access/index.ts';
import { type AccountEvent, findAccountById, nameKey } from '../../accounts/index.ts';
import { type Executor, serialize } from '../../platform/database/transaction.ts';
import { currentEpoch } from '../../platform/events/epoch.ts';
import type { HubEvent } from '../../platform/events/events.ts';
import type { Reaction } from '../../platform/events/reaction.ts';
import type { RepoEvent } from '../../repositories/index.ts';
import type { WatchedRow } from '../tables.ts';

/**
 * Keeps watched names with what they stand for: bound when it comes to be, renamed with it, unbound when it is gone. What
 * is watched since after the event was bound to what its name stood for by then, and stays as it is. Events may be fanned
 * out in any order: what its name is bound to at its end may not be known from its beginning yet.
 */
export const followNames: Reaction<RepoEvent> = async (tx, event) => {
  const { scope, action, repo, from } = event.data;
  if (scope !== 'repo') return undefined;
  switch (action) {
    case 'create':
      await bindNames(tx, repo, event);
      break;
    case 'move':
      if (from) await bindNames(tx, { ...repo, ...from }, event);
      await rename(tx, repo, event.epoch);
      await bindNames(tx, repo, event);
      break;
    case 'delete':
      await bindNames(tx, repo, event);
      // It may have been renamed with its owner when it was gone already.
      await rename(tx, repo, event.epoch);
      await bind(tx, sql`target_id = ${repo.id}`, null, event);
      break;
    case 'update':
      break;
  }
  return undefined;
};

/** The same for users and organizations that are renamed, with all that they own. */
export const followAccountNames: Reaction<AccountEvent> = async (tx, event) => {
  const { accountId, before, name: given } = event.data;
  const account = await findAccountById(tx, accountId);
  if (!account) return undefined;
  const { kind: type, name } = account;
  await bindName(tx, { type, name: before, id: accountId }, event);
  const watched = tx.updateTable('webhook_watched');
  await watched
    .set({ name, name_key: nameKey(name) })
    .where('target_id', '=', accountId)
    .where('type', '=', type)
    .execute();
  const ofRepo = (owner: string, column: 'name' | 'name_key') => sql<string>`(
    select cast(${owner} as text) || '/' || r.${sql.ref(column)} from repositories r where r.id = webhook_watched.target_id
  )`;
  await watched
    .set({ name: ofRepo(name, 'name'), name_key: ofRepo(nameKey(name), 'name_key') })
    .where('target_id', 'in', (of) => of.selectFrom('repositories').select('id').where('owner_id', '=', accountId))
    .execute();
  // The name that it got then, which may be another one by now: what watched that name follows it, too.
  await bindName(tx, { type, name: given ?? name, id: accountId }, event);
  return undefined;
};

/**
 * Watched items show the repository's new name to owners of webhooks who may read it. For the others the name they
 * know stands for nothing any more: the new one must not reach them this way.
 */
async function rename(tx: Executor, repo: RepoEvent['repo'], epoch: number): Promise<void> {
  const now = await tx
    .selectFrom('repositories')
    .innerJoin('accounts', 'accounts.id', 'repositories.owner_id')
    .select(['accounts.name as owner', 'repositories.name', 'repositories.private', 'repositories.owner_id'])
    .select('repositories.resource_group_id')
    .where('repositories.id', '=', repo.id)
    .executeTakeFirst();
  // Of one that is gone, what is known is what the event says.
  const name = now ? `${now.owner}/${now.name}` : repo.name;
  const facts = now ? { private: now.private === 1, ownerId: now.owner_id, groupId: now.resource_group_id } : repo;
  const readers = tx
    .selectFrom('webhooks')
    .select('webhooks.id')
    .where(entitled(known(facts), sql.ref('webhooks.owner_id')));
  const watched = tx.updateTable('webhook_watched').where('target_id', '=', repo.id).where('since', '<=', epoch);
  await watched
    .set({ name, name_key: nameKey(name) })
    .where('webhook_id', 'in', readers)
    .execute();
  await watched.set({ target_id: null }).where('webhook_id', 'not in', readers).execute();
}

/** Binds watched names that stand for nothing, or for what is gone, to the repository and its owner. */
async function bindNames(tx: Executor, repo: RepoEvent['repo'], event: HubEvent): Promise<void> {
  const account = { type: repo.ownerKind, name: repo.name.split('/')[0] ?? '', id: repo.ownerId };
  for (const named of [repo, account]) await bindName(tx, named, event);
}

const bindName = (
  tx: Executor,
  { type, name, id }: { type: WatchedRow['type']; name: string; id: string },
  event: HubEvent,
): Promise<void> =>
  bind(
    tx,
    sql`type = ${type} and name_key = ${nameKey(name)} and since <= ${event.epoch} and (
      target_id is null or
      not exists (select 1 from accounts where accounts.id = webhook_watched.target_id)
      and not exists (select 1 from repositories where repositories.id = webhook_watched.target_id)
    )`,
    id,
    event,
  );

/** Said to PostgreSQL: relays that keep what items stood for choose positions one after the other. */
const KEEPING = 7782;

/**
 * Lets watched items stand for something else. What they stood for until now is kept beside them, at positions below
 * zero: other events about it may still wait, in whatever order they are fanned out.
 */
async function bind(
  tx: Executor,
  items: RawBuilder<unknown>,
  id: string | null,
  { createdAt }: HubEvent,
): Promise<void> {
  const chosen = sql`${items} and position >= 0`;
  const bound = sql`webhook_watched where ${chosen} and target_id is not null`;
  const { rows } = await sql`select 1 from ${bound} limit 1`.execute(tx);
  if (rows.length > 0) {
    await serialize(tx, KEEPING);
    await sql`
      insert into webhook_watched (webhook_id, position, type, name, name_key, target_id, since, until, closed_at)
      select webhook_id,
        coalesce((
          select min(kept.position) from webhook_watched kept
          where kept.webhook_id = webhook_watched.webhook_id and kept.position < 0
        ), 0) - row_number() over (partition by webhook_id order by position, since),
        type, name, name_key, target_id, since, coalesce(until, ${currentEpoch} + 1), coalesce(closed_at, ${createdAt})
      from ${bound}`.execute(tx);
  }
  await sql`update webhook_watched set target_id = ${id} where ${chosen}`.execute(tx);
}
