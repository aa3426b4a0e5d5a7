import { sql } from 'kysely';
import { expect } from 'vitest';
import type { TestHub } from './harness.ts';
import { engine } from './test-database.ts';

/** More than two pages look at. */
export const MANY = 11_000;

/** The table of the numbers from 1 to `count`, in the column `i`. */
export const numbersTo = (count: number) =>
  engine === 'postgres'
    ? sql.raw(`generate_series(1, ${count}) as n (i)`)
    : sql.raw(
        `(with recursive n (i) as (select 1 union all select i + 1 from n where i < ${count}) select i from n) as n`,
      );

/** The id of a number: a letter and the number as 23 hexadecimal digits. */
export const idAfter = (letter: string) =>
  engine === 'postgres'
    ? sql.raw(`'${letter}' || lpad(to_hex(i), 23, '0')`)
    : sql.raw(`'${letter}' || printf('%023x', i)`);

export const accountNamed = (name: string) => sql`(select id from accounts where name = ${name})`;

export interface Page {
  readonly names: readonly string[];
  /** The id in the cursor of the next page. */
  readonly nextId: string | undefined;
}

/** Returns the pages of a list, following the header `Link`. */
export async function follow(hub: TestHub, path: string, user: string): Promise<Page[]> {
  const pages: Page[] = [];
  let url: string | undefined = hub.url + path;
  while (url !== undefined) {
    const answer: Response = await fetch(url, { headers: { authorization: `Bearer ${hub.as(user).accessToken}` } });
    expect(answer.status).toBe(200);
    const names = ((await answer.json()) as { id?: string; title?: string }[]).map(
      ({ id, title }) => id ?? title ?? '',
    );
    url = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
    const cursor = url && new URL(url).searchParams.get('cursor');
    const key = cursor ? Buffer.from(cursor, 'base64url').toString() : '';
    pages.push({ names, nextId: /[0-9a-f]{24}/.exec(key)?.[0] });
  }
  return pages;
}

/** The number in the end of an id. */
export const numberIn = (id: string): number => Number.parseInt(id.slice(-6), 16);
