import { type RawBuilder, sql } from 'kysely';
import { mayReadIfEnabled, repoColumns } from '../../access/index.ts';

/**
 * Returns the full name of the row of `repositories` in a query that has its owner as `owners`; null unless the user may
 * read it now, whether or not the user is disabled.
 */
export const nameIfReadable = (userId: string): RawBuilder<string | null> =>
  sql<string | null>`case when ${mayReadIfEnabled(repoColumns, sql.val(userId))}
    then owners.name || '/' || repositories.name end`;
