import type { DeliveryDetails } from '@moonbase/client/webhooks';
import { quoted } from '../../ui/code/shell-text.ts';

type Attempt = DeliveryDetails['deliveryAttempts'][number];

/**
 * Returns the request of an attempt as a command of curl. Secret and signature are left out: they are shown nowhere, so a receiver
 * that verifies refuses this request.
 */
export const curlOf = (
  { payload }: Pick<DeliveryDetails, 'payload'>,
  { url, requestHeaders = {} }: Pick<Attempt, 'url' | 'requestHeaders'>,
): string =>
  [
    `curl -X POST ${quoted(url)}`,
    ...Object.entries(requestHeaders).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    `--data-raw ${quoted(JSON.stringify(payload))}`,
  ].join(' \\\n  ');
