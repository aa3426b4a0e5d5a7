import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pktLineOf } from './git-packs.ts';

/** Answers one request of a fetch. */
export type Reply = (response: ServerResponse, request: IncomingMessage) => void;

export const FLUSH = Buffer.from('0000');

export const typeOf = (kind: 'advertisement' | 'result') => ({
  'content-type': `application/x-git-upload-pack-${kind}`,
});

/** Returns the reply with these bytes. */
export const reply =
  (kind: 'advertisement' | 'result', ...pieces: readonly Uint8Array[]): Reply =>
  (response) => {
    response.writeHead(200, typeOf(kind)).end(Buffer.concat(pieces));
  };

export const lines = (...texts: readonly string[]): Buffer =>
  Buffer.concat(texts.map((text) => pktLineOf(`${text}\n`)));

/** The capabilities of a well-behaved remote. */
export const VERSION_2 = reply(
  'advertisement',
  lines('version 2', 'agent=hostile/1', 'ls-refs=unborn', 'fetch=shallow', 'object-format=sha1'),
  FLUSH,
);

export const refs = (...texts: readonly string[]): Reply => reply('result', lines(...texts), FLUSH);

/** Encodes bytes of a pack for the band of data, as often as needed. */
export function data(bytes: Uint8Array): Buffer {
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += 60_000) {
    const piece = Buffer.concat([Buffer.from([1]), bytes.subarray(at, at + 60_000)]);
    pieces.push(Buffer.from((piece.length + 4).toString(16).padStart(4, '0')), piece);
  }
  return Buffer.concat(pieces);
}

export const PACKFILE = lines('packfile');

interface Replies {
  readonly advertise?: Reply;
  readonly list?: Reply;
  readonly fetch?: Reply;
}

const nothing: Reply = (response) => response.writeHead(500).end();

/** Serves a remote that replies as it likes. */
export async function hostileRemote({ advertise = VERSION_2, list = nothing, fetch: sendPack = nothing }: Replies) {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    response.on('error', () => {});
    if (request.method === 'GET') return advertise(response, request);
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const isList = Buffer.concat(pieces).includes('command=ls-refs');
      (isList ? list : sendPack)(response, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/letters`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
