import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createNodeHandler } from './node-server/handler.ts';
import type { Receiver } from './receiver.ts';

export interface ServeOptions {
  /** 4000 without; 0 for any that is free. */
  readonly port?: number;
  /** 127.0.0.1 without: reachable from this machine only. */
  readonly host?: string;
  /** Instead of `console`. */
  readonly log?: Pick<Console, 'info'>;
}

export interface Serving {
  /** As in `http://127.0.0.1:4000`. */
  readonly url: string;
  /** Takes no more requests, and waits for those that are there and for the handlers that go on. */
  close(): Promise<void>;
}

/** Starts a `node:http` server for a receiver, and says where its endpoints are. Rejects where the port is taken. */
export async function serve(receiver: Receiver, options: ServeOptions = {}): Promise<Serving> {
  const { port = 4000, host = '127.0.0.1', log = console } = options;
  const server = createServer(createNodeHandler(receiver));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const { address, family, port: bound } = server.address() as AddressInfo;
  const url = `http://${family === 'IPv6' ? `[${address}]` : address}:${bound}`;
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
