import { type Expression, type RawBuilder, sql } from 'kysely';

/** The condition that a text contains another, both already folded to the same case. */
export const contains = (text: Expression<unknown>, part: string): RawBuilder<boolean> =>
  sql<boolean>`${text} like ${`%${part.replace(/[\\%_]/g, '\\$&')}%`} escape '\\'`;
