import type { Domain } from '@moonbase/contract/webhooks/payload';
import { toJson } from '../../platform/stored-form.ts';
import { streamTarget } from '../matching/lane.ts';
import type { NewWebhook } from '../subscriptions/history.ts';
import { GRACE_MS } from './connection.ts';

interface Given {
  readonly id: string;
  readonly ownerId: string;
  readonly domains: readonly Domain[];
  /** Sealed; null for a stream without a secret. */
  readonly secret: string | null;
  readonly now: number;
}

/** Returns the webhook of a stream that waits for its first connection. */
export const newStream = ({ id, ownerId, domains, secret, now }: Given): NewWebhook => ({
  id,
  owner_id: ownerId,
  url: streamTarget(id),
  job: null,
  job_source_id: null,
  job_secrets: null,
  job_token_id: null,
  secret,
  old_secret: null,
  old_secret_until: null,
  domains: toJson([...new Set(domains)]),
  state: 'enabled',
  created_at: now,
  last_trigger_at: null,
  failures: 0,
  failing_since: null,
  name: null,
  description: null,
  last_attempt: null,
  suspension: null,
  stream_until: now + GRACE_MS,
  connection: null,
});
