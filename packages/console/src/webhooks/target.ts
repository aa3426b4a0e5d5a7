import type { Webhook } from '@moonbase/client/webhooks';

/** The target of a webhook in words: its URL, or what its job runs. */
export const targetOf = ({ url, job }: Webhook): string =>
  url ?? `Job: ${job?.dockerImage ?? job?.spaceId ?? 'unknown'}`;

/** What lists call a webhook: its name, otherwise its target. */
export const titleOf = (webhook: Webhook): string => webhook.name ?? targetOf(webhook);
