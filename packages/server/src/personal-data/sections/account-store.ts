import { sql } from 'kysely';
import type { ReadExecutor } from '../../platform/database/transaction.ts';
import type { Page } from '../section.ts';

/** Returns since when a user has the current password and a second factor; null: the user has none. */
export const waysInOf = (executor: ReadExecutor, userId: string) =>
  executor
    .selectNoFrom([
      sql<number | null>`(select changed_at from passwords where user_id = ${userId})`.as('passwordAt'),
      sql<number | null>`(
        select confirmed_at from second_factors where user_id = ${userId} and confirmed_at is not null
      )`.as('secondFactorAt'),
    ])
    .executeTakeFirstOrThrow();

/** Returns what identity providers of organizations say about a user. */
export const providerRecordsOf = (executor: ReadExecutor, { userId, after, limit }: Page<{ org_id: string }>) =>
  executor
    .selectFrom('scim_users')
    .innerJoin('accounts as organizations', 'organizations.id', 'scim_users.org_id')
    .selectAll('scim_users')
    .select('organizations.name as organization')
    .where('scim_users.user_id', '=', userId)
    .where('scim_users.org_id', '>', after?.org_id ?? '')
    .orderBy('scim_users.org_id')
    .limit(limit)
    .execute();
