import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy to a hub that stops passing on bytes, so that a test knows how far its client is. */
export interface StallingProxy extends AsyncDisposable {
  readonly url: string;
  /** Resolves once a connection has stalled. */
  readonly stalled: Promise<void>;
  /** Breaks all connections; new ones are let through as far as the first ones. */
  cut(): void;
}

interface Limits {
  /** The number of bytes from the client that a connection passes on. */
  readonly up?: number;
  /** The number of bytes to the client that a connection passes on. */
  readonly down?: number;
}

/** Starts a proxy that passes on some bytes of each connection and then none. */
export async function startStallingProxy(
  hubUrl: string,
  { up = Number.POSITIVE_INFINITY, down = Number.POSITIVE_INFINITY }: Limits,
): Promise<StallingProxy> {
  const { hostname, port } = new URL(hubUrl);
  const sockets = new Set<Socket>();
  let stall = () => {};
  const stalled = new Promise<void>((resolve) => {
    stall = resolve;
  });
  /** Passes on bytes up to the limit; `onLimit` is called then. */
  function pass(from: Socket, to: Socket, limit: number, onLimit: () => void): void {
    let passed = 0;
    from.on('data', (bytes: Buffer) => {
      const part = bytes.subarray(0, Math.max(limit - passed, 0));
      passed += bytes.length;
      if (part.length > 0 && !to.write(part)) {
        from.pause();
        to.once('drain', () => from.resume());
      }
      if (passed < limit) return;
      onLimit();
      stall();
    });
    from.on('error', () => to.destroy()).on('close', () => (passed < limit ? to.end() : to.destroy()));
  }
  const server = createServer((client) => {
    const hub = connect(Number(port), hostname);
    for (const socket of [client, hub]) {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
    }
    // What the client sends is read on, so that its end is noticed.
    pass(client, hub, up, () => {});
    pass(hub, client, down, () => {
      hub.pause();
      client.once('close', () => hub.destroy());
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port: own } = server.address() as AddressInfo;
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${own}`,
    stalled,
    cut,
    async [Symbol.asyncDispose]() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
