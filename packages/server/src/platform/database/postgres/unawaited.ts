import { sql } from 'kysely';

/**
 * Ends the text of a statement of a transaction whose result nobody reads. PostgreSQL gets it in one message with the next
 * statement or the commit, which fails if it fails; other engines run it at once.
 */
export const UNAWAITED = '/* unawaited */';

/** The mark for the end of a query that is built: `query.modifyEnd(unawaited)`. */
export const unawaited = sql.raw(UNAWAITED);
