import { type Expression, type RawBuilder, sql } from 'kysely';

/** The condition that a text has another in it, both in the letter case that they are compared in. */
export const contains = (text: Expression<unknown>, part: string): RawBuilder<boolean> =>
  sql<boolean>`${text} like ${`%${part.replace(/[\\%_]/g, '\\$&')}%`} escape '\\'`;
