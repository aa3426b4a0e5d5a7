// node bare-files.ts FILE [HEADERS]: the reference for downloads and uploads. Answers GET and HEAD with a file from the
// disk, whole or a range, with the given headers; PUT writes the body to a file, hashes and syncs it. Prints its URL.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rm, stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';

const [file = '', headersText = '{}'] = process.argv.slice(2);
const headers = JSON.parse(headersText) as Record<string, string>;

async function send(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { size } = await stat(file);
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
  const [start, end] = [Number(from ?? 0), Number(to ?? size - 1)];
  response.writeHead(from === undefined ? 200 : 206, {
    ...headers,
    'content-length': end - start + 1,
    ...(from !== undefined && { 'content-range': `bytes ${start}-${end}/${size}` }),
  });
  if (request.method === 'HEAD') return void response.end();
  await pipeline(createReadStream(file, { start, end }), response);
}

async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const hash = createHash('sha256');
  const handle = await open(`${file}.taken`, 'w');
  for await (const chunk of request) {
    hash.update(chunk as Buffer);
    await handle.write(chunk as Buffer);
  }
  await handle.sync();
  await handle.close();
  await rm(`${file}.taken`);
  response.end(hash.digest('hex'));
}

const server = createServer((request, response) => {
  void (request.method === 'PUT' ? take(request, response) : send(request, response)).catch(() => response.destroy());
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`));
