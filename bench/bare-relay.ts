// node bare-relay.ts FOLDER URL: the reference for a quiet change. Syncs a line to the disk for each request, answers it,
// and posts the last part of its path to the URL. Prints its URL.
import { open } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Agent, request as send } from 'undici';

const [folder = '', target = ''] = process.argv.slice(2);
const log = await open(join(folder, 'bare.log'), 'a');
const dispatcher = new Agent();
const PAYLOAD = 'x'.repeat(1500);

async function relay(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const branch = request.url?.split('/').at(-1) ?? '';
  request.resume();
  await log.write(`${branch}\n`);
  await log.datasync();
  const body = JSON.stringify({ updatedRefs: [{ ref: `refs/heads/${branch}` }], PAYLOAD });
  const posted = send(target, { method: 'POST', headers: { 'content-type': 'application/json' }, body, dispatcher });
  response.setHeader('content-type', 'application/json').end('{}');
  await (await posted).body.text();
}

const server = createServer((request, response) => void relay(request, response));
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
