import type pg from 'pg';
import { codeOf } from '../error-text.ts';

/**
 * The error of a cached plan whose result type has changed, as when a newer release adds a column: names are renewed, and the
 * statement, or the transaction that it belongs to, runs again.
 */
export const PLAN_CHANGED = '0A000';

/**
 * Longer statements mostly have a different text each time, such as inserts of many rows: naming them costs more than it
 * saves.
 */
const MAX_LENGTH = 2000;
const MAX_STATEMENTS = 1000;
/** Texts that never change, and are named whatever their length: planning a long one costs more than running it. */
const fixedTexts = new Set<string>();
export const nameFixedText = (text: string): void => void fixedTexts.add(text);

/** Lists of ids also have a different text for each length. Short lists are named. */
const LONG_LIST = / in \((\$\d+, ){4}/;

/**
 * Marks a statement that PostgreSQL plans for each call with its values: the generic plan of a named statement suits an
 * average user, but not one with a hundred thousand rows.
 */
export const PLANNED_ANEW = '/* planned anew */';

/**
 * Names the statements of a connection, so that PostgreSQL parses and plans each once instead of at every request. A pooler
 * that assigns connections per transaction must support prepared statements (PgBouncer 1.21).
 */
export function nameStatements(pool: pg.Pool): void {
  let names = new Map<string, string>();
  let generation = 0;

  const nameOf = (text: string): string | undefined => {
    const known = names.get(text);
    if (known !== undefined || names.size === MAX_STATEMENTS) return known;
    if (text.length > MAX_LENGTH && !fixedTexts.has(text)) return undefined;
    if (LONG_LIST.test(text) || text.includes(PLANNED_ANEW)) return undefined;
    const name = `moonbase ${generation} ${names.size}`;
    names.set(text, name);
    return name;
  };

  /** Renews all names if a name of now is the one that failed; other statements may have failed at the same time. */
  const renew = (text: string, name: string): void => {
    if (names.get(text) !== name) return;
    names = new Map();
    generation += 1;
  };

  pool.on('connect', (client) => {
    const query = client.query.bind(client);
    // The dialect uses only one form of the call: a text and its values, returning a promise.
    const named = (text: string, values?: unknown[]) => {
      // The protocol of statements with names takes one statement at a time.
      if (text.includes('; ') && values?.length === 0) return query(text);
      const name = values === undefined ? undefined : nameOf(text);
      if (name === undefined) return query(text, values);
      return query({ name, text, values: values ?? [] }).catch((error: unknown) => {
        if (codeOf(error) === PLAN_CHANGED) renew(text, name);
        throw error;
      });
    };
    Object.assign(client, { query: named });
  });
}
