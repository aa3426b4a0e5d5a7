import { PLANS } from '@moonbase/contract/primitives';
import type { Database, ReadExecutor } from '../platform/database/transaction.ts';
import type { Tier } from '../platform/limits/quotas.ts';

/** The tier of a user for rate limits: the best of one's own and of what one's organizations have (W§2.4). */
export const createTierOf =
  ({ database }: { readonly database: Database }) =>
  async (userId: string): Promise<Tier> => {
    const [plans, pro] = await Promise.all([plansOf(database.read, userId), isPro(database.read, userId)]);
    const best = PLANS.findLast((plan) => plans.includes(plan)) ?? 'free';
    return best === 'free' && pro ? 'pro' : best;
  };

async function plansOf(executor: ReadExecutor, userId: string) {
  const rows = await executor
    .selectFrom('memberships')
    .innerJoin('accounts', 'accounts.id', 'memberships.org_id')
    .leftJoin('organization_settings', 'organization_settings.org_id', 'accounts.id')
    .select('accounts.plan')
    .distinct()
    .where('memberships.user_id', '=', userId)
    .where('organization_settings.deleted_at', 'is', null)
    .execute();
  return rows.map(({ plan }) => plan);
}

async function isPro(executor: ReadExecutor, userId: string): Promise<boolean> {
  const row = await executor.selectFrom('accounts').select('pro').where('id', '=', userId).executeTakeFirst();
  return row?.pro === 1;
}
