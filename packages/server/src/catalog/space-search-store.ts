import { type RawBuilder, sql } from 'kysely';
import type { Reader } from '../access/index.ts';
import { contains } from '../platform/database/contains.ts';
import { isPostgres, type ReadExecutor } from '../platform/database/transaction.ts';
import { unnest } from '../platform/database/where-in.ts';
import type { JsonText } from '../platform/stored-form.ts';
import { lookAtFirst } from '../repositories/index.ts';
import { listFor } from './catalog-store.ts';

export interface SpaceQuery {
  /** In lower case; the more of them a Space has, the earlier it comes. */
  readonly words: readonly string[];
  readonly tags: readonly string[];
  readonly sdks: readonly string[];
  readonly limit: number;
}

/** A Space that has some of the words. */
export interface FoundRow {
  readonly id: string;
  readonly name: string;
  readonly ownerName: string;
  readonly sdk: string | null;
  readonly private: number;
  readonly likes: number;
  readonly trending_score: number;
  readonly tags: JsonText<string[]> | null;
  readonly title: string | null;
  readonly emoji: string | null;
  readonly short: string | null;
  /** How many of the words were found. */
  readonly found: number;
}

/** The Spaces whose texts are looked at, of each visibility: a search costs the same on a hub of any size. */
const EXAMINED = 5000;

/** A text of the metadata in a README; null if it is not a text. */
const cardText = (executor: ReadExecutor, name: 'title' | 'emoji' | 'short_description') =>
  isPostgres(executor)
    ? sql`case when json_typeof(c.card::json -> ${sql.lit(name)}) = 'string' then c.card::json ->> ${sql.lit(name)} end`
    : sql`case when json_type(c.card, ${sql.lit(`$.${name}`)}) = 'text' then c.card ->> ${sql.lit(`$.${name}`)} end`;

/** Returns the Spaces with the most words among some. */
async function search(executor: ReadExecutor, spaces: RawBuilder<unknown>, query: SpaceQuery) {
  const text = sql.ref('texts.text');
  const found = sql.join(
    query.words.map((word) => sql`case when ${contains(text, word)} then 1 else 0 end`),
    sql` + `,
  );
  const [title, short] = [cardText(executor, 'title'), cardText(executor, 'short_description')];
  const { rows } = await sql<FoundRow>`
    select * from (
      select texts.*, ${found} as found from (
        select e.id, e.name, a.name as "ownerName", e.sdk, e.private, e.likes, e.trending_score, c.tags,
          ${title} as title, ${cardText(executor, 'emoji')} as emoji, ${short} as short,
          lower(a.name || '/' || e.name || ' ' || coalesce(c.tags, '') || ' ' || coalesce(${title}, '') || ' '
            || coalesce(${short}, '')) as text
        from (${spaces}) as e
        join accounts a on a.id = e.owner_id left join repo_cards c on c.repo_id = e.id
        where ${query.sdks.length === 0 ? sql`1 = 1` : sql`e.sdk in ${unnest(executor, query.sdks)}`}
      ) as texts
    ) as scored where found > 0
    order by found desc, trending_score desc, id desc limit ${query.limit}`.execute(executor);
  return rows;
}

/** Returns public Spaces, followed by private ones that the reader may read. */
export async function searchSpaces(executor: ReadExecutor, reader: Reader, query: SpaceQuery): Promise<FoundRow[]> {
  const list = await listFor(executor, reader, {
    ...{ type: 'space', words: [], tags: query.tags, ownerId: undefined, gated: undefined, pipeline: undefined },
    ...{ parameters: undefined, sort: 'trendingScore', direction: 'desc', after: undefined, limit: EXAMINED },
  });
  return (await lookAtFirst(executor, list, (spaces) => search(executor, spaces, query))).flat();
}
