import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import { createAddressGuard } from '../../src/platform/outbound/address-guard.ts';
import { createOutbound, type Outbound, type OutboundRequest } from '../../src/platform/outbound/outbound.ts';

/** Starts a receiver on 127.0.0.1, which closes when the test ends; returns its port. */
export function receiverOf(listener: RequestListener): Promise<number> {
  return portOf(createServer(listener));
}

/** Starts a receiver of raw TCP: `talk` runs at the first bytes of a connection. */
export function rawReceiverOf(talk: (socket: Socket) => void): Promise<number> {
  return portOf(createTcpServer((socket) => socket.once('data', () => talk(socket))));
}

async function portOf(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(async () => {
    const closed = new Promise((done) => server.close(done));
    for (const socket of sockets) socket.destroy();
    await closed;
  });
  return (server.address() as AddressInfo).port;
}

/** Idle connections outlive every test, however busy the machine is. */
const KEEP_ALIVE_MS = 600_000;

/** Creates an outbound that by default allows loopback, and is disposed when the test ends. */
export function outboundOf({
  allow = [],
  allowLoopback = true,
  ...options
}: { allow?: string[]; allowLoopback?: boolean } & Omit<Parameters<typeof createOutbound>[0], 'guard'> = {}): Outbound {
  const outbound = createOutbound({
    guard: createAddressGuard({ allow, allowLoopback }),
    refusalMs: 0,
    keepAliveMs: KEEP_ALIVE_MS,
    ...options,
  });
  onTestFinished(() => outbound[Symbol.asyncDispose]());
  return outbound;
}

/** Returns a resolver that knows only these names. */
export function namesOf(names: Record<string, string[]>) {
  return async (host: string) => {
    const addresses = names[host];
    if (addresses === undefined) throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' });
    return addresses.map((address) => ({ address, family: address.includes(':') ? (6 as const) : (4 as const) }));
  };
}

/** Returns a small request to a URL. */
export function to(url: string): OutboundRequest {
  return { url, headers: {}, body: '{}' };
}

/** Returns the form of a failed result, for `toEqual`. */
export function failure(error: string | RegExp) {
  return {
    kind: 'failed',
    error: typeof error === 'string' ? error : expect.stringMatching(error),
    durationMs: expect.any(Number),
  };
}
