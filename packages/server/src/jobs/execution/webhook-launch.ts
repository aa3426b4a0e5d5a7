import type { JobInput } from '@moonbase/contract/jobs/specification';
import type { WebhookPayload } from '@moonbase/contract/webhooks/payload';
import type { Database } from '../../platform/database/transaction.ts';
import { type JsonText, parseJson } from '../../platform/stored-form.ts';
import { labelText } from '../runs/specification.ts';
import type { FindJobAuthority } from './authority.ts';
import { type Launching, UNREADABLE_SECRETS } from './launch.ts';

/** A delivery that launches a job. */
export interface WebhookTrigger {
  /** The key of the launch: a delivery launches one job, however often it is sent. */
  readonly deliveryId: string;
  readonly webhookId: string;
  readonly ownerId: string;
  /** The access token with which the webhook got its job; null for a browser session. */
  readonly tokenId: string | null;
  readonly job: Omit<JobInput, 'secrets'> & { readonly secretNames: readonly string[] };
  /** Sealed. */
  readonly jobSecrets: string | null;
  readonly secret: string | undefined;
  /** The payload, as it would be posted to a URL. */
  readonly body: JsonText<WebhookPayload>;
}

/** Returns the job that a delivery launched, or why it could not. */
export type LaunchForWebhook = (
  trigger: WebhookTrigger,
) => Promise<{ readonly jobId: string } | { readonly error: string }>;

/** The maximum size of a payload variable; Linux accepts variables of at most 128 KiB, including the name. */
const MAX_PAYLOAD_BYTES = 100 * 1024;

/** Shortens a payload to the size of a variable: cuts the text of a long comment and sets `truncated`. */
export function fitPayload(body: JsonText<WebhookPayload>): string {
  if (Buffer.byteLength(body) <= MAX_PAYLOAD_BYTES) return body;
  const payload = parseJson(body);
  const content = payload.comment?.content ?? '';
  const withContent = (text: string): string =>
    JSON.stringify({
      ...payload,
      ...(payload.comment && { comment: { ...payload.comment, content: text } }),
      truncated: true,
    });
  // Bisection finds the longest text that fits: how many bytes a character has in JSON depends on the character.
  let [fits, most] = [0, content.length];
  while (fits < most) {
    const middle = Math.ceil((fits + most) / 2);
    if (Buffer.byteLength(withContent(content.slice(0, middle))) <= MAX_PAYLOAD_BYTES) fits = middle;
    else most = middle - 1;
  }
  return withContent(content.slice(0, fits).replace(/[\ud800-\udbff]$/, ''));
}

interface Dependencies {
  readonly database: Database;
  readonly launching: Launching;
  readonly authorityOf: FindJobAuthority;
}

export function createWebhookLaunch({ database, launching, authorityOf }: Dependencies): LaunchForWebhook {
  return async ({ deliveryId, webhookId, ownerId, tokenId, job, jobSecrets, secret, body }) => {
    const { labels = {}, ...rest } = job;
    const specification = { ...rest, attempts: job.attempts ?? 1 };
    const authority = await authorityOf(database.read, { userId: ownerId, tokenId, ownerId, what: 'the webhook' });
    if ('refusal' in authority) return { error: authority.refusal };
    const { principal } = authority;
    const refusal = await launching.refusal(database.read, specification, principal);
    if (refusal) return { error: refusal.path ? `${refusal.path}: ${refusal.message}` : refusal.message };
    const secrets = launching.secretsOf(jobSecrets, { table: 'webhooks', column: 'job_secrets', id: webhookId });
    if (!secrets) return { error: UNREADABLE_SECRETS };
    const { repo } = parseJson(body);
    const jobId = await database.transaction((tx) =>
      launching.insert(tx, {
        ownerId,
        creator: { id: ownerId, name: principal.userName, tokenId },
        initiator: { type: 'webhook', id: webhookId },
        specification,
        labels: labelText(labels),
        secrets: { ...secrets, ...(secret !== undefined && { WEBHOOK_SECRET: secret }) },
        triggerEnvironment: {
          WEBHOOK_PAYLOAD: fitPayload(body),
          WEBHOOK_REPO_ID: repo.name,
          WEBHOOK_REPO_TYPE: repo.type,
        },
        otherSources: [{ type: repo.type, name: repo.name, targetId: repo.id, ownerId: repo.owner.id }],
        triggerKey: deliveryId,
      }),
    );
    return { jobId };
  };
}
