import { lockAccount } from '../accounts/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Executor } from '../platform/database/transaction.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { badRequest, conflict, notFound } from '../platform/http/errors.ts';
import { keyFromCursor, pageFrom } from '../platform/http/pagination.ts';
import { resolveNames } from '../repositories/index.ts';
import { type Item, nameIn, objectIdIn } from './policy.ts';
import { presentMuted, presentWatched } from './present.ts';
import { countTargets, deleteMissing, deleteTargets, insertTargets } from './store.ts';
import type { List } from './target-conditions.ts';
import { type After, listMutes, listWatches, visibleKeys } from './visible-store.ts';

/** The items that a request may add, and likewise delete. */
const MAX_ITEMS = 1000;
/** The items that a user may watch, and likewise mute. */
const MAX_TARGETS = 10_000;

export type Watching = ReturnType<typeof createWatching>;

interface Change<Kind extends Item> {
  readonly add: readonly Kind[];
  readonly delete: readonly Kind[];
}

interface PageQuery {
  readonly cursor?: string | undefined;
  readonly limit: number;
}

export function createWatching({ database, clock }: { readonly database: Database; readonly clock: Clock }) {
  /** Deletes items, then adds items: an item in both lists stays. Changes nothing where one item cannot be added. */
  const change = (caller: Caller, list: List, { add, delete: remove }: Change<Item>) =>
    database.transaction(async (tx) => {
      const { userId } = caller.principal;
      await lockAccount(tx, userId);
      const ids = await idsOf(tx, [...add, ...remove]);
      const added = add.map((item, at) => ({ type: item.type, id: ids[at] ?? '' }));
      const removed = remove.map((item, at) => ({ type: item.type, id: ids[add.length + at] ?? '' }));
      const wanted = new Set(added.map(keyOf));
      for (const type of new Set(removed.map((item) => item.type))) {
        const ofType = removed.filter((item) => item.type === type && !wanted.has(keyOf(item)));
        await deleteTargets(
          tx,
          list,
          userId,
          type,
          ofType.map(({ id }) => id),
        );
      }
      if (added.length === 0) return;
      const rows = added.map(({ type, id }) => ({
        user_id: userId,
        target_type: type,
        target_id: id,
        created_at: clock.now(),
      }));
      await insertTargets(tx, list, rows);
      const visible = await visibleKeys(tx, list, caller.principal, [...new Set(added.map(({ id }) => id))]);
      const missing = added.findIndex((item) => !visible.has(keyOf(item)));
      if (missing >= 0) throw notFound(`There is nothing that you may see behind body.add.${missing}; nothing changed`);
      await refuseTooManyTargets(tx, list, userId);
    });

  return {
    async changeWatched(caller: Caller, given: Change<Item>) {
      refuseTooManyItems(given);
      await change(caller, 'watches', given);
    },

    async changeMuted(caller: Caller, given: Change<Item>) {
      refuseTooManyItems(given);
      await change(caller, 'mutes', given);
    },

    async listWatched({ principal, baseUrl }: Caller, { cursor, limit }: PageQuery) {
      const rows = await listWatches(database.read, principal, afterIn(cursor), limit + 1);
      const { items, next } = pageFrom(rows, limit, cursorOf);
      return { items: items.map((row) => presentWatched(baseUrl, row)), next };
    },

    async listMuted({ principal }: Caller, { cursor, limit }: PageQuery) {
      const rows = await listMutes(database.read, principal, afterIn(cursor), limit + 1);
      const { items, next } = pageFrom(rows, limit, cursorOf);
      return { items: items.map(presentMuted), next };
    },
  };
}

const keyOf = ({ type, id }: { readonly type: string; readonly id: string }) => `${type} ${id}`;

/** Returns the ids of items, in their order; undefined where nothing has the name. */
async function idsOf(tx: Executor, items: readonly Item[]): Promise<(string | undefined)[]> {
  const names = items.map(nameIn);
  const resolved = await resolveNames(
    tx,
    names.flatMap((name) => name ?? []),
  );
  let next = 0;
  return items.map((item, at) => objectIdIn(item) ?? (names[at] && resolved[next++]));
}

function refuseTooManyItems(given: Change<Item>): void {
  for (const name of ['add', 'delete'] as const) {
    if (given[name].length <= MAX_ITEMS) continue;
    const fault = { path: `body.${name}`, message: `must have at most ${MAX_ITEMS} items` };
    throw badRequest(`${fault.path}: ${fault.message}`, [fault]);
  }
}

async function refuseTooManyTargets(tx: Executor, list: List, userId: string): Promise<void> {
  if ((await countTargets(tx, list, userId)) <= MAX_TARGETS) return;
  await deleteMissing(tx, list, userId);
  if ((await countTargets(tx, list, userId)) > MAX_TARGETS)
    throw conflict(`More than ${MAX_TARGETS} items cannot be ${list === 'mutes' ? 'muted' : 'watched'}; delete some`);
}

const cursorOf = ({ createdAt, id }: After) => `${createdAt}.${id}`;

function afterIn(cursor: string | undefined): After | undefined {
  if (cursor === undefined) return undefined;
  const [, createdAt, id = ''] = keyFromCursor(cursor, /^(\d{1,15})\.([0-9a-f]{24})$/);
  return { createdAt: Number(createdAt), id };
}
