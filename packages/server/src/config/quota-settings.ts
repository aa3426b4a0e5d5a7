import { MAX_COUNT_QUOTA, MAX_WEBHOOK_QUOTA } from '@moonbase/contract/accounts/quotas';
import * as z from 'zod';
import { optional, wholeNumber } from './forms.ts';
import { setting } from './setting.ts';

const OWN = 'Site administrators give single users another quota. See [quotas.md](quotas.md).';

export const QuotaSettings = z.object({
  maxWebhooks: setting(
    'MOONBASE_MAX_WEBHOOKS',
    wholeNumber(MAX_WEBHOOK_QUOTA, 1).prefault('100'),
    `Webhooks a user may have. ${OWN}`,
  ),
  maxTokens: setting(
    'MOONBASE_MAX_TOKENS',
    optional(wholeNumber(MAX_COUNT_QUOTA, 1)),
    `Access tokens a user may have. ${OWN}`,
    'none: no limit',
  ),
  discussionDailyLimit: setting(
    'MOONBASE_DISCUSSION_DAILY_LIMIT',
    optional(wholeNumber(MAX_COUNT_QUOTA, 1)),
    `Discussions and pull requests a user may open in any 24 hours. ${OWN}`,
    'none: no limit',
  ),
});
