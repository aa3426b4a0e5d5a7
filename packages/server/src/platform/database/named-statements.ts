import type pg from 'pg';

/** A statement that changed under a plan that was kept: it is forgotten, and a transaction that met it runs again. */
export const PLAN_CHANGED = '0A000';

/** Long ones are inserts of many rows, each number of rows a text of its own: keeping those costs more than it saves. */
const MAX_LENGTH = 2000;
const MAX_STATEMENTS = 1000;
/** So are lists of ids: each length of them is a text of its own. Short ones are named. */
const LONG_LIST = / in \((\$\d+, ){4}/;

/**
 * Stands in a statement of which PostgreSQL makes a plan for each call, by the values that it is called with: the one
 * plan of a named statement is for an average user, and a bad one for somebody who has a hundred thousand rows.
 */
export const PLANNED_ANEW = '/* planned anew */';

/**
 * Names the statements of a connection, so that PostgreSQL parses and plans each once and not at every request. A pooler
 * between that hands connections from transaction to transaction must know prepared statements (PgBouncer 1.21).
 */
export function nameStatements(pool: pg.Pool): void {
  let names = new Map<string, string>();
  let generation = 0;

  const nameOf = (text: string): string | undefined => {
    const known = names.get(text);
    if (known !== undefined || text.length > MAX_LENGTH || names.size === MAX_STATEMENTS) return known;
    if (LONG_LIST.test(text) || text.includes(PLANNED_ANEW)) return undefined;
    const name = `moonbase ${generation} ${names.size}`;
    names.set(text, name);
    return name;
  };

  const forget = (error: unknown): never => {
    if ((error as { code?: unknown }).code === PLAN_CHANGED) {
      names = new Map();
      generation += 1;
    }
    throw error;
  };

  pool.on('connect', (client) => {
    const query = client.query.bind(client);
    // The dialect asks in one form only: a text and its values, for a promise.
    const named = (text: string, values?: unknown[]) => {
      const name = values === undefined ? undefined : nameOf(text);
      return name === undefined ? query(text, values) : query({ name, text, values: values ?? [] }).catch(forget);
    };
    Object.assign(client, { query: named });
  });
}
