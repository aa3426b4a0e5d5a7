import { PLANS } from '@moonbase/contract/primitives';
import type { Database } from '../platform/database/transaction.ts';
import type { Tier } from '../platform/limits/quotas.ts';
import { isPro, plansOf } from './store.ts';

/**
 * Creates the function that returns the rate limit tier of a user: the best plan of the user or the user's
 * organizations (W§2.4).
 */
export const createTierOf =
  ({ database }: { readonly database: Database }) =>
  async (userId: string): Promise<Tier> => {
    const [plans, pro] = await Promise.all([plansOf(database.read, userId), isPro(database.read, userId)]);
    const best = PLANS.findLast((plan) => plans.includes(plan)) ?? 'free';
    return best === 'free' && pro ? 'pro' : best;
  };
