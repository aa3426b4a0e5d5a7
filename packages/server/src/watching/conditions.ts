import { type Expression, type RawBuilder, sql } from 'kysely';
import { among } from '../platform/database/among.ts';
import type { Executor } from '../platform/database/transaction.ts';

/** Who watches any of the given: a repository, its owner. To be run, joined or limited; each user once. */
export const watchersOf = (executor: Executor, targetIds: readonly string[]) =>
  executor
    .selectFrom('watches')
    .select('watches.user_id')
    .distinct()
    .where(among(executor, 'target_id', targetIds));

/** The condition that a user has muted a repository or a thread, to be joined to any query. */
export const hasMuted = (userId: Expression<string>, targetId: Expression<string>): RawBuilder<boolean> =>
  sql<boolean>`exists (select 1 from mutes where mutes.user_id = ${userId} and mutes.target_id = ${targetId})`;
