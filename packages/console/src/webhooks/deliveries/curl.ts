import type { DeliveryDetails } from '@moonbase/client/webhooks';

/** Quotes a text for a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/**
 * Returns the request of an attempt as a command of curl. Secret and signature are left out: they are shown nowhere, so a receiver
 * that verifies refuses this request.
 */
export function curlOf({ id, payload, test }: DeliveryDetails, { url, at }: { url: string; at: string }): string {
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(Date.parse(at) / 1000)),
    ...(test && { 'x-webhook-test': 'true' }),
  };
  return [
    `curl -X POST ${quoted(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    `--data-raw ${quoted(JSON.stringify(payload))}`,
  ].join(' \\\n  ');
}
