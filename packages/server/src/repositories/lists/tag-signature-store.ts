import { type RawBuilder, sql } from 'kysely';
import { updateEach } from '../../platform/database/bulk.ts';
import { bigint, text } from '../../platform/database/columns.ts';
import { type Executor, forUpdateOf } from '../../platform/database/transaction.ts';
import { lockFill, moveFill } from '../names/reached-store.ts';
import { tagSignature } from './tag-signature.ts';

const SIGNED = { id: text(), tag_signature: bigint() };

/** The condition that a repository may have all of some tags in lower case: few of those that lack one meet it. */
export function mayHaveTags(tags: readonly string[]): RawBuilder<unknown> {
  const signature = sql`cast(${tagSignature(tags)} as bigint)`;
  return sql`(repositories.tag_signature is null or repositories.tag_signature & ${signature} = ${signature})`;
}

/** Stores the signatures of the tags in lower case of repositories, where they have changed. */
export const signTags = (tx: Executor, tags: ReadonlyMap<string, readonly string[]>): Promise<void> =>
  updateEach(
    tx,
    'repositories',
    SIGNED,
    [...tags].map(([id, each]) => ({ id, tag_signature: tagSignature(each) })),
    { onlyChanged: true },
  );

/**
 * Returns the next repositories of an earlier release whose tags are not signed, and locks them until the transaction ends,
 * which is to sign them; undefined if there are none.
 */
export async function takeUnsigned(tx: Executor, limit: number): Promise<readonly string[] | undefined> {
  const reached = await lockFill(tx, 'signature_fills');
  if (reached === undefined) return undefined;
  const rows = await tx
    .selectFrom('repositories')
    .select('id')
    .where('id', '>', reached)
    .orderBy('id')
    .limit(limit)
    .modifyEnd(forUpdateOf(tx, 'repositories'))
    .execute();
  const ids = rows.map(({ id }) => id);
  await moveFill(tx, 'signature_fills', ids.at(-1));
  return ids;
}
