import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createNodeHandler } from './node-server/handler.ts';
import type { Receiver } from './receiver.ts';

export interface ServeOptions {
  /** 4000 by default; 0 for any free port. */
  readonly port?: number;
  /** 127.0.0.1 by default, which only this machine can reach. */
  readonly host?: string;
  /** Takes the place of `console`. */
  readonly log?: Pick<Console, 'info'>;
}

export interface RunningServer {
  /** The URL of the server, as in `http://127.0.0.1:4000`. */
  readonly url: string;
  /** Takes no more requests; resolves after the last answer and the last handler. */
  close(): Promise<void>;
}

/** Starts a `node:http` server for a receiver, and logs the URLs of its endpoints. Rejects where the port is taken. */
export async function serve(receiver: Receiver, options: ServeOptions = {}): Promise<RunningServer> {
  const { port = 4000, host = '127.0.0.1', log = console } = options;
  const server = createServer(createNodeHandler(receiver));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const url = urlOf(server.address());
  log.info('Webhooks are correctly setup and ready to use:');
  for (const path of receiver.endpoints()) log.info(`  - POST ${url}${path}`);
  log.info('Give such a URL to a webhook in the settings of the hub.');
  return {
    url,
    async close() {
      await new Promise((resolve) => server.close(resolve));
      await receiver.idle();
    },
  };
}

function urlOf(bound: AddressInfo | string | null): string {
  if (bound === null || typeof bound === 'string') throw new TypeError('The server does not listen at a port');
  const { address, family, port } = bound;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
