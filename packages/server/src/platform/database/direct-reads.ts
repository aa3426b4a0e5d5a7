import type { DatabaseConnection } from 'kysely';

/** What runs a compiled query at once. */
export type DirectReads = Pick<DatabaseConnection, 'executeQuery'>;

const known = new WeakMap<object, DirectReads>();

/**
 * Lets prepared queries of a read door pass by the layers of the query builder, whose promises take as long as a short
 * statement of SQLite does.
 */
export const setDirectReads = (door: object, reads: DirectReads): void => void known.set(door, reads);

/** Returns the direct way of a read door; undefined for transactions, whose statements are counted and cut off. */
export const directReads = (executor: object): DirectReads | undefined => known.get(executor);
