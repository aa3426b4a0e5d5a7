// Receives the deliveries of the mixed load in a process of its own, on as many origins as its argument says. Prints
// their URLs in one line; `GET /` returns the report of all.
import { listenAs } from '../origins.ts';
import { keyOf } from './changes.ts';

/**
 * One change at one webhook: the ids of its deliveries, their number, and the time of the first (milliseconds since
 * 1970).
 */
export interface Told {
  readonly ids: string[];
  times: number;
  readonly at: number;
}

/** Reports by webhook (the path of its URL) and change. */
export type Report = Readonly<Record<string, Readonly<Record<string, Told>>>>;

const webhooks: Record<string, Record<string, Told>> = {};

function tell(path: string, key: string, { id, at }: { id: string; at: number }): void {
  webhooks[path] ??= {};
  const changes = webhooks[path];
  const told = changes[key];
  if (!told) {
    changes[key] = { ids: [id], times: 1, at };
    return;
  }
  told.times++;
  if (!told.ids.includes(id)) told.ids.push(id);
}

await listenAs(Number(process.argv[2]), (request, response) => {
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
    if (key !== undefined) tell(request.url ?? '', key, { id, at });
    response.end();
  });
});
process.on('disconnect', () => process.exit());
