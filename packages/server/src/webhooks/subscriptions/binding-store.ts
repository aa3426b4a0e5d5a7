import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { factsAsValues, mayReadIfEnabled, repoColumns } from '../../access/index.ts';
import { type Executor, serialize } from '../../platform/database/transaction.ts';
import { currentEpoch } from '../../platform/events/epoch-store.ts';
import type { WatchedRow } from '../tables.ts';

/*
 * Watched items are bound to what their names stand for: `target_id` is the repository or account that has the name, null
 * where nothing has it.
 */

/** Returns the present name of a repository and what decides who may read it; undefined where it was deleted. */
export const findNamedRepo = (tx: Executor, repoId: string) =>
  tx
    .selectFrom('repositories')
    .innerJoin('accounts', 'accounts.id', 'repositories.owner_id')
    .select(['accounts.name as owner', 'repositories.name', 'repositories.private', 'repositories.owner_id as ownerId'])
    .select('repositories.resource_group_id as groupId')
    .where('repositories.id', '=', repoId)
    .executeTakeFirst();

/** A name as it is shown, and its key, by which it is found. */
export interface Name {
  readonly name: string;
  readonly name_key: string;
}

/**
 * Renames the items that are bound to a repository, where the owner of the webhook may read it. Other items are unbound: the
 * new name must not reach owners who may not read the repository. `epoch` is that of the event: later items stay.
 */
export async function renameRepoItems(
  tx: Executor,
  repo: Parameters<typeof factsAsValues>[0] & { readonly id: string },
  name: Name,
  epoch: number,
): Promise<void> {
  const readers = tx
    .selectFrom('webhooks')
    .select('webhooks.id')
    .where(mayReadIfEnabled(factsAsValues(repo), sql.ref('webhooks.owner_id')));
  const items = tx.updateTable('webhook_watched').where('target_id', '=', repo.id).where('since', '<=', epoch);
  await items
    .set({ ...name })
    .where('webhook_id', 'in', readers)
    .execute();
  await items.set({ target_id: null }).where('webhook_id', 'not in', readers).execute();
}

/**
 * Renames the items that are bound to an account, and the owner in the names of items bound to its repositories; those that the
 * owner of the webhook may not read are unbound, as a new name would say that they are still there.
 */
export async function renameAccountItems(
  tx: Executor,
  account: { readonly id: string; readonly type: WatchedRow['type'] },
  { name, name_key }: Name,
): Promise<void> {
  const items = tx.updateTable('webhook_watched');
  await items.set({ name, name_key }).where('target_id', '=', account.id).where('type', '=', account.type).execute();
  const ofRepo = (owner: string, column: 'name' | 'name_key') => sql<string>`(
    select cast(${owner} as text) || '/' || r.${sql.ref(column)} from repositories r where r.id = webhook_watched.target_id
  )`;
  const ofRepos = items.where('target_id', 'in', (of) =>
    of.selectFrom('repositories').select('id').where('owner_id', '=', account.id),
  );
  const isReadable = sql<boolean>`exists (
    select 1 from webhooks cross join repositories
    where webhooks.id = webhook_watched.webhook_id and repositories.id = webhook_watched.target_id
      and ${mayReadIfEnabled(repoColumns, sql.ref('webhooks.owner_id'))}
  )`;
  await ofRepos.set({ target_id: null }).where(sql<boolean>`not ${isReadable}`).execute();
  await ofRepos.set({ name: ofRepo(name, 'name'), name_key: ofRepo(name_key, 'name_key') }).execute();
}

/** Binds items with a name, up to an epoch, that are bound to nothing or to what was deleted. */
export const bindName = (
  tx: Executor,
  { type, nameKey, id }: { readonly type: WatchedRow['type']; readonly nameKey: string; readonly id: string },
  { epoch, createdAt }: { readonly epoch: number; readonly createdAt: number },
): Promise<void> =>
  bind(
    tx,
    sql`type = ${type} and name_key = ${nameKey} and since <= ${epoch} and (
      target_id is null or
      not exists (select 1 from accounts where accounts.id = webhook_watched.target_id)
      and not exists (select 1 from repositories where repositories.id = webhook_watched.target_id)
    )`,
    id,
    createdAt,
  );

/** Unbinds the items that are bound to a deleted target. */
export const unbindTarget = (tx: Executor, targetId: string, now: number): Promise<void> =>
  bind(tx, sql`target_id = ${targetId}`, null, now);

/** The advisory lock of relays on PostgreSQL that add former bindings, so that they choose positions one after the other. */
const FORMER_BINDINGS_LOCK = 7782;

/**
 * Binds items to another target. Former bindings stay as rows with positions below zero, because other events about the former
 * target may still wait, and events are handled in any order.
 */
async function bind(tx: Executor, items: RawBuilder<SqlBool>, id: string | null, now: number): Promise<void> {
  const chosen = sql<SqlBool>`${items} and position >= 0`;
  const bound = sql`webhook_watched where ${chosen} and target_id is not null`;
  const { rows } = await sql`select 1 from ${bound} limit 1`.execute(tx);
  if (rows.length > 0) {
    await serialize(tx, FORMER_BINDINGS_LOCK);
    await sql`
      insert into webhook_watched (webhook_id, position, type, name, name_key, target_id, since, until, closed_at)
      select webhook_id,
        coalesce((
          select min(kept.position) from webhook_watched kept
          where kept.webhook_id = webhook_watched.webhook_id and kept.position < 0
        ), 0) - row_number() over (partition by webhook_id order by position, since),
        type, name, name_key, target_id, since, coalesce(until, ${currentEpoch} + 1), coalesce(closed_at, ${now})
      from ${bound}`.execute(tx);
  }
  await tx.updateTable('webhook_watched').set({ target_id: id }).where(chosen).execute();
}
