import { type Kysely, sql } from 'kysely';

/**
 * Runs work in a transaction that begins with `begin`. A failing transaction throws its cause, even if the database has
 * already rolled it back (full disk, failed I/O) and nothing is left to roll back.
 */
export const inTransaction = <Tables, T>(
  executor: Kysely<Tables>,
  begin: string,
  work: (tx: Kysely<Tables>) => Promise<T>,
): Promise<T> =>
  executor.connection().execute(async (tx) => {
    try {
      await sql.raw(begin).execute(tx);
      const value = await work(tx);
      await sql`commit`.execute(tx);
      return value;
    } catch (error) {
      await sql`rollback`.execute(tx).catch(() => {});
      throw error;
    }
  });
