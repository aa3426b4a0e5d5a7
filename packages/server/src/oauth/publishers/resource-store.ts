import { readableBy, repoColumns } from '../../access/index.ts';
import type { ReadExecutor } from '../../platform/database/transaction.ts';
import { whereIn } from '../../platform/database/where-in.ts';
import type { Principal } from '../../platform/http/authenticate.ts';

/** Returns the type, owner and name of those repositories that a caller may read. */
export const readableRepos = (executor: ReadExecutor, principal: Principal, ids: readonly string[]) =>
  executor
    .selectFrom('repositories')
    .innerJoin('accounts', 'accounts.id', 'repositories.owner_id')
    .select(['repositories.id', 'repositories.type', 'repositories.name', 'accounts.name as namespace'])
    .where(whereIn(executor, 'repositories.id', ids))
    .where(readableBy(repoColumns, principal))
    .execute();
