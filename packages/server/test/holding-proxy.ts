import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Passes requests on to another server; `onPack` runs after the request for a pack and before its answer goes on. */
export async function holdingProxy(target: string, onPack: () => Promise<void>) {
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const body = Buffer.concat(pieces);
      const onward = send(`${target}${request.url}`, { method: request.method, headers: request.headers }, (answer) => {
        const isPack = body.includes('command=fetch');
        void (isPack ? onPack() : Promise.resolve()).then(() => {
          response.writeHead(answer.statusCode ?? 500, answer.headers);
          answer.pipe(response);
        });
      });
      onward.end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
