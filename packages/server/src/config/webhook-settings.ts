import * as z from 'zod';
import { flag, optional, text, wholeNumber } from './forms.ts';
import { setting } from './setting.ts';

/** 8 attempts over 27.6 hours. */
const RETRY_SCHEDULE = '5,300,1800,7200,18000,36000,36000';

const seconds = text
  .regex(/^\d{1,7}(,\d{1,7})*$/, 'must be seconds without a unit, separated by commas')
  .transform((value) => value.split(',').map(Number));

export const WebhookSettings = z.object({
  lenientWebhooks: setting(
    'MOONBASE_LENIENT_WEBHOOKS',
    flag.prefault('false'),
    'Accept webhook bodies as the `hf` command line sends them: `discussions` for `discussion`, no `domains`, `watched: []` on update.',
  ),
  webhookRetrySchedule: setting(
    'MOONBASE_WEBHOOK_RETRY_SCHEDULE',
    seconds.prefault(RETRY_SCHEDULE),
    'Seconds to wait before each further attempt of a delivery, each ±20 %.',
  ),
  webhookDailyLimit: setting(
    'MOONBASE_WEBHOOK_DAILY_LIMIT',
    optional(wholeNumber(1_000_000_000)),
    'Triggers per webhook in any 24 hours; deliveries above this limit are logged as `throttled`.',
  ),
  webhookLogDays: setting(
    'MOONBASE_WEBHOOK_LOG_DAYS',
    wholeNumber(3650, 1).prefault('30'),
    'Days for which the delivery log is kept; pending deliveries stay until they have ended.',
  ),
  maxWatched: setting('MOONBASE_MAX_WATCHED', wholeNumber(10_000, 1).prefault('1000'), 'Items a webhook may watch.'),
});
