// Takes the deliveries of the mixed load in a process of its own. Prints its URL; `GET /` answers what came.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { keyOf } from './changes.ts';

/** One change that one webhook was told of: under which ids, how often, and when first (milliseconds since 1970). */
export interface Told {
  readonly ids: string[];
  times: number;
  readonly at: number;
}

/** By webhook (the path of its URL) and change. */
export type Report = Readonly<Record<string, Readonly<Record<string, Told>>>>;

const webhooks: Record<string, Record<string, Told>> = {};

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response.end(JSON.stringify(webhooks));
    return;
  }
  const at = Date.now();
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const key = keyOf(JSON.parse(Buffer.concat(chunks).toString()) as Parameters<typeof keyOf>[0]);
    const id = String(request.headers['webhook-id']);
    if (key !== undefined) {
      webhooks[request.url ?? ''] ??= {};
      const told = (webhooks[request.url ?? ''] as Record<string, Told>)[key];
      if (told) {
        told.times++;
        if (!told.ids.includes(id)) told.ids.push(id);
      } else (webhooks[request.url ?? ''] as Record<string, Told>)[key] = { ids: [id], times: 1, at };
    }
    response.end();
  });
});
server.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.on('disconnect', () => process.exit());
