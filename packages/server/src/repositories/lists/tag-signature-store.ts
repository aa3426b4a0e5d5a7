import { type RawBuilder, sql } from 'kysely';
import { updateEach } from '../../platform/database/bulk.ts';
import { bigint, text } from '../../platform/database/columns.ts';
import { type Executor, forUpdateOf } from '../../platform/database/transaction.ts';
import { whereIn } from '../../platform/database/where-in.ts';
import { tagSignature } from './tag-signature.ts';

const SIGNED = { id: text(), tag_signature: bigint() };

/** The condition that a repository may have all of some tags in lower case: few of those that lack one meet it. */
export function mayHaveTags(tags: readonly string[]): RawBuilder<unknown> {
  const signature = sql`cast(${tagSignature(tags)} as bigint)`;
  return sql`(repositories.tag_signature is null or repositories.tag_signature & ${signature} = ${signature})`;
}

/** Stores the signatures of the tags in lower case of repositories, where they have changed. */
export async function signTags(tx: Executor, tags: ReadonlyMap<string, readonly string[]>): Promise<void> {
  const stored = await tx
    .selectFrom('repositories')
    .select(['id', 'tag_signature'])
    .where(whereIn(tx, 'id', [...tags.keys()]))
    .execute();
  const changed = stored.flatMap(({ id, tag_signature: before }) => {
    const tag_signature = tagSignature(tags.get(id) ?? []);
    return before !== null && Number(before) === tag_signature ? [] : [{ id, tag_signature }];
  });
  await updateEach(tx, 'repositories', SIGNED, changed);
}

/** Repositories whose tags are not signed, locked until the transaction ends. */
export interface Unsigned {
  readonly ids: readonly string[];
  /** Says that these are signed. */
  readonly advance: () => Promise<void>;
}

/** Returns the next repositories of an earlier release whose tags are not signed; undefined if there are none. */
export async function lockUnsigned(tx: Executor, limit: number): Promise<Unsigned | undefined> {
  const fill = await tx
    .selectFrom('signature_fills')
    .select('reached')
    .modifyEnd(forUpdateOf(tx, 'signature_fills'))
    .executeTakeFirst();
  if (!fill) return undefined;
  const rows = await tx
    .selectFrom('repositories')
    .select('id')
    .where('id', '>', fill.reached)
    .orderBy('id')
    .limit(limit)
    .modifyEnd(forUpdateOf(tx, 'repositories'))
    .execute();
  const ids = rows.map(({ id }) => id);
  const last = ids.at(-1);
  const advance = async () => {
    await (last === undefined
      ? tx.deleteFrom('signature_fills').execute()
      : tx.updateTable('signature_fills').set({ reached: last }).execute());
  };
  return { ids, advance };
}
