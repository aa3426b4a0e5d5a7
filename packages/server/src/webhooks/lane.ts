import type { WebhookRow } from '../platform/database/tables.ts';
import { originOf } from '../platform/outbound/target-url.ts';
import { sha256 } from '../platform/secrets.ts';

/** Deliveries to one origin (scheme, name and port) stand in one lane; those to jobs in another. */
export const laneOf = (webhook: Pick<WebhookRow, 'url'>): string =>
  sha256(webhook.url === null ? 'job' : originOf(webhook.url)).slice(0, 24);
