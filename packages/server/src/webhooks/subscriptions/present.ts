import type { WebhookJob } from '@moonbase/contract/jobs/specification';
import type { Webhook } from '@moonbase/contract/webhooks/webhooks';
import { avatarUrl } from '../../accounts/index.ts';
import { timestamp } from '../../platform/clock.ts';
import { normalUrl } from '../../platform/outbound/target-url.ts';
import { parseJson } from '../../platform/stored-form.ts';
import type { StoredJob } from '../tables.ts';
import type { ShownWebhook, Watched } from './store.ts';

/** Returns a webhook as callers see it: never its secret, and of its job only the fields of the specification. */
export const presentWebhook = (baseUrl: string, webhook: ShownWebhook, watched: readonly Watched[]): Webhook => ({
  id: webhook.id,
  ...(webhook.url !== null && { url: normalUrl(webhook.url) }),
  ...(webhook.job !== null && { job: presentJob(parseJson(webhook.job)) }),
  ...(webhook.job_source_id !== null && { jobSourceId: webhook.job_source_id }),
  disabled: webhook.state === 'suspended' ? 'suspended-after-failure' : webhook.state === 'disabled',
  watched: watched.map((item) => ({
    type: item.type,
    name: item.name,
    ...(item.accountId !== null && {
      avatarUrl: avatarUrl(baseUrl, { id: item.accountId, avatar_url: item.avatarUrl }),
    }),
  })),
  hasSecret: webhook.secret !== null,
  domains: parseJson(webhook.domains),
  ...(webhook.last_trigger_at !== null && { lastTriggerAt: timestamp(webhook.last_trigger_at) }),
  ...(webhook.name !== null && { name: webhook.name }),
  ...(webhook.description !== null && { description: webhook.description }),
});

const presentJob = ({
  arch: _arch,
  attempts: _attempts,
  volumes: _volumes,
  secretNames,
  ...job
}: StoredJob): WebhookJob => ({
  ...job,
  ...(secretNames.length > 0 && { secrets: secretNames }),
});
