import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { WebhookPayload } from '@moonbase/contract/webhooks/payload';

export interface Arrival {
  readonly payload: WebhookPayload;
  /** Whether the signature matches the secret (Standard Webhooks). */
  readonly signed: boolean;
}

/** Starts a small receiver without a library, which verifies the signature, keeps the payload and answers 200. */
export async function startReceiver(secret: string) {
  const arrivals: Arrival[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const content = [request.headers['webhook-id'], request.headers['webhook-timestamp'], body].join('.');
      const expected = Buffer.from(`v1,${createHmac('sha256', secret).update(content).digest('base64')}`);
      const given = Buffer.from(String(request.headers['webhook-signature']));
      const signed = given.length === expected.length && timingSafeEqual(given, expected);
      arrivals.push({ payload: JSON.parse(body) as WebhookPayload, signed });
      response.writeHead(signed ? 200 : 401).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks/demo`,
    arrivals,
    close: () => server.close(),
  };
}
