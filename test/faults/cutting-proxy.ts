import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy to a hub that can break connections. */
export interface CuttingProxy extends AsyncDisposable {
  readonly url: string;
  /** Breaks every open connection and returns their number; new connections are let through. */
  cut(): number;
}

export async function startCuttingProxy(targetPort: () => number): Promise<CuttingProxy> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    const onward = connect(targetPort(), '127.0.0.1');
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
    open.add(socket);
    socket.on('close', () => open.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = () => {
    const count = open.size;
    for (const socket of open) socket.resetAndDestroy();
    return count;
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    async [Symbol.asyncDispose]() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
