import { SITE } from '../../audit-log/index.ts';
import type { ReadExecutor } from '../../platform/database/transaction.ts';
import type { Page } from '../section.ts';

/** Returns what a user did outside of organizations. */
export const auditEventsOf = (executor: ReadExecutor, { userId, after, limit }: Page<{ seq: number }>) =>
  executor
    .selectFrom('audit_events')
    .select(['seq', 'body'])
    .where('org_id', '=', SITE)
    .where('author_key', '=', (of) => of.selectFrom('accounts').select('accounts.name_key').where('id', '=', userId))
    .where('seq', '>', after?.seq ?? 0)
    // A former user may have had the name.
    .where('author_id', '=', userId)
    .orderBy('seq')
    .limit(limit)
    .execute();
