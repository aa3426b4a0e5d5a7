import { sql } from 'kysely';
import { notDeleted } from '../access/index.ts';
import type { ReadExecutor } from '../platform/database/transaction.ts';
import type { KnownTags, UsedTag } from './tag-types.ts';

/** The repositories whose tags are counted: an answer costs the same on a hub of any size. */
const EXAMINED = 5000;

/** The public repositories of a type with the most downloads. */
const examined = (type: 'model' | 'dataset') => sql`(
  select repositories.id from repositories
  where repositories.type = ${type} and repositories.private = 0 and ${notDeleted(sql.ref('repositories.owner_id'))}
  order by repositories.downloads desc, repositories.id desc limit ${sql.lit(EXAMINED)}
) as examined`;

/** Returns the tags of public repositories, in no particular order. */
export async function tagsInUse(executor: ReadExecutor, type: 'model' | 'dataset'): Promise<UsedTag[]> {
  const { rows } = await sql<{ tag: string; repos: number }>`
    select t.tag, count(*) as repos from ${examined(type)} cross join repo_tags t
    where t.repo_id = examined.id group by t.tag`.execute(executor);
  return rows.map(({ tag, repos }) => ({ tag, repos: Number(repos) }));
}

/** Returns the libraries and pipelines of public models, in lower case. */
export async function knownTags(executor: ReadExecutor): Promise<KnownTags> {
  const { rows } = await sql<{ library: string | null; pipeline: string | null }>`
    select distinct lower(c.library_name) as library, lower(c.pipeline_tag) as pipeline
    from ${examined('model')} cross join repo_cards c where c.repo_id = examined.id`.execute(executor);
  return {
    libraries: new Set(rows.flatMap(({ library }) => library ?? [])),
    pipelines: new Set(rows.flatMap(({ pipeline }) => pipeline ?? [])),
  };
}
