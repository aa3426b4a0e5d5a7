import { type Expression, type RawBuilder, sql } from 'kysely';

/** Returns the condition that a user has muted a repository or thread, for use within any query. */
export const hasMuted = (userId: Expression<string>, targetId: Expression<string>): RawBuilder<boolean> =>
  sql<boolean>`exists (select 1 from mutes where mutes.user_id = ${userId} and mutes.target_id = ${targetId})`;
