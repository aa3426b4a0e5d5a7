// node bare-hub.ts TARGET WEBHOOKS DATA FOLDER|POSTGRES_URL: the least that a delivery demands. A change is three rows and answered
// once they are on the disk. Its event becomes a delivery for each webhook, which is on the disk before it is sent; each is signed,
// sent, and recorded with its attempt. The rows go into the tables of the hub, many in a transaction, and nothing else is done: no
// authentication, no matching, no rights, no limits. Prints its URL, whose root counts the recorded deliveries.
import { createHmac } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { Agent, request as send } from 'undici';
import { migrate } from '../packages/server/src/platform/database/migrate.ts';
import { openDatabase } from '../packages/server/src/platform/database/transaction.ts';
import { type NewEvent, openBarePostgres, openBareSqlite } from './bare-tables.ts';

const [target = '', webhooksText = '', data = '', place = ''] = process.argv.slice(2);
const REPOS = 20;
const webhooks = Number(webhooksText);
const IN_FLIGHT = 32;
const MAX_RECORDED = 100;
const now = Date.now();

interface Delivery {
  readonly id: string;
  readonly body: string;
}

let made = 0;
const newId = () => (made++).toString(16).padStart(24, '0');

/** Handles what is added while it is busy with what came before. */
function inGroups<Item>(most: number, work: (items: Item[]) => Promise<void>) {
  const waiting: Item[] = [];
  let busy = false;
  async function run(): Promise<void> {
    busy = true;
    // The callers of this moment share the group.
    await new Promise(setImmediate);
    while (waiting.length > 0) await work(waiting.splice(0, most));
    busy = false;
  }
  return (items: readonly Item[]) => {
    waiting.push(...items);
    if (!busy) void run();
  };
}

const location = place.startsWith('postgres') ? { url: place } : { folder: place };
const migrated = openDatabase(location);
await migrate(migrated, fileURLToPath(new URL('../packages/server/migrations', import.meta.url)), now);
await migrated[Symbol.asyncDispose]();
const tables = 'url' in location ? await openBarePostgres(location.url) : await openBareSqlite(location.folder);
await tables.begin(REPOS, webhooks);

const change = inGroups<{ branch: string; response: ServerResponse }>(64, async (changes) => {
  const events = changes.map(({ branch }) => ({ id: newId(), repo: made % REPOS, branch }));
  await tables.change(events, data, now);
  // The deliveries are written later in the same log, and cannot be on the disk without the change.
  relay(events);
  await tables.durable();
  for (const { response } of changes) response.setHeader('content-type', 'application/json').end('{"success":true}');
});

const relay = inGroups<NewEvent>(64, async (events) => {
  const rows = events.flatMap(({ id, repo }) =>
    Array.from({ length: webhooks }, (_, webhook) => ({ id: newId(), event: id, repo, webhook })),
  );
  await tables.relay(rows, now);
  await tables.durable();
  const { payload } = JSON.parse(data) as { payload: object };
  const bodies = new Map(
    events.map(({ id, branch }) => [
      id,
      JSON.stringify({ ...payload, updatedRefs: [{ ref: `refs/heads/${branch}` }] }).slice(0, -1),
    ]),
  );
  toSend.push(
    ...rows.map(({ id, event, webhook }) => ({ id, body: `${bodies.get(event)},"webhook":{"id":"w${webhook}"}}` })),
  );
  while (sending < IN_FLIGHT && toSend.length > 0) void sendNext();
});

const dispatcher = new Agent();
const toSend: Delivery[] = [];
let sending = 0;
let recorded = 0;

async function sendNext(): Promise<void> {
  sending++;
  for (let next = toSend.shift(); next; next = toSend.shift()) {
    const { id, body } = next;
    const seconds = String(Math.floor(now / 1000));
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Moonbase-Webhooks/1',
      'webhook-id': id,
      'webhook-timestamp': seconds,
      'x-webhook-secret': 'a secret',
      'webhook-signature': `v1,${createHmac('sha256', 'a secret').update(`${id}.${seconds}.${body}`).digest('base64')}`,
    };
    const answer = await send(target, { method: 'POST', headers, body, dispatcher });
    await answer.body.text();
    record([{ id, status: answer.statusCode }]);
  }
  sending--;
}

const record = inGroups<{ id: string; status: number }>(MAX_RECORDED, async (attempts) => {
  await tables.record(attempts, target, now);
  recorded += attempts.length;
});

const server = createServer((request, response) => {
  if (request.method === 'GET') return response.end(String(recorded));
  request.resume();
  return change([{ branch: request.url?.split('/').at(-1) ?? '', response }]);
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
process.on('disconnect', () => process.exit());
