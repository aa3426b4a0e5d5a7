import { type RawBuilder, type SqlBool, sql } from 'kysely';

const repo = sql`exists (select 1 from repositories t where t.id = target_id)`;
const account = sql`exists (select 1 from accounts t where t.id = target_id)`;
const discussion = sql`exists (select 1 from discussions t where t.id = target_id)`;
const paper = sql`exists (select 1 from papers t where t.id = target_id)`;
const post = sql`exists (select 1 from posts t where t.id = target_id)`;

/** The condition that the target of a watch or mute still exists, by the table of the watch or mute. */
export const targetExists = {
  watches: sql<SqlBool>`(${repo} or ${account})`,
  mutes: sql<SqlBool>`(${repo} or ${discussion} or ${paper} or ${post})`,
} satisfies Record<string, RawBuilder<SqlBool>>;

/** A table of targets: what users watch, or what they mute. */
export type List = keyof typeof targetExists;
