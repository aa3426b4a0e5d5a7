import { type AddressInfo, createServer, type Socket } from 'node:net';

/** A receiver that attacks the hub over raw TCP until the test lets it recover. */
export interface HostileReceiver extends AsyncDisposable {
  readonly port: number;
  /** Returns the number of open connections, and of all connections so far. */
  open(): number;
  connections(): number;
  /** Returns the number of bytes that the hub has read. */
  sent(): number;
  /** Makes the receiver answer correctly from now on. */
  recover(): void;
}

/** The reactions of a receiver to the first bytes of a request (`talk`) and to a new connection (`greet`). */
export interface Manners {
  readonly talk?: (socket: Socket) => void;
  readonly greet?: (socket: Socket) => void;
}

export async function startHostile({ talk, greet }: Manners): Promise<HostileReceiver> {
  const open = new Set<Socket>();
  let connections = 0;
  let well = false;
  let sent = 0;
  const server = createServer((socket) => {
    connections += 1;
    open.add(socket);
    socket.on('error', () => {}).on('close', () => open.delete(socket));
    socket.on('close', () => {
      sent += socket.bytesWritten;
    });
    let spoken = false;
    socket.on('data', () => {
      if (well) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
      else if (!spoken) talk?.(socket);
      spoken = true;
    });
    if (!well) greet?.(socket);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    port: (server.address() as AddressInfo).port,
    open: () => open.size,
    connections: () => connections,
    sent: () => sent,
    recover() {
      well = true;
      for (const socket of open) socket.resume();
    },
    async [Symbol.asyncDispose]() {
      const closed = new Promise((done) => server.close(done));
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}

/** Writes a beginning, then one piece repeatedly, as fast as the hub reads. */
export function flood(beginning: string, piece: string | Buffer): (socket: Socket) => void {
  const block = Buffer.alloc(16_384, piece);
  return (socket) => {
    const pour = () => {
      while (!socket.destroyed && socket.write(block));
    };
    socket.write(beginning);
    socket.on('drain', pour);
    pour();
  };
}

/** Writes a beginning, then one byte after the other, slowly and without end. */
export function drip(beginning: string): (socket: Socket) => void {
  return (socket) => {
    socket.write(beginning);
    const dripping = setInterval(() => socket.write('x'), 20);
    socket.on('close', () => clearInterval(dripping));
  };
}

export const says = (answer: string) => (socket: Socket) => void socket.write(answer);
export const saysAndEnds = (answer: string) => (socket: Socket) => void socket.end(answer);
