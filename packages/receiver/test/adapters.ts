import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import express from 'express';
import { fastify } from 'fastify';
import { createFastifyPlugin } from '../src/fastify.ts';
import { createNodeHandler, serve } from '../src/node.ts';
import type { Receiver } from '../src/receiver.ts';
import { createWebHandler } from '../src/web.ts';

/** A receiver behind an address. */
export interface Served extends AsyncDisposable {
  readonly url: string;
}

async function listening(server: Server): Promise<Served> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A server of fetch handlers, as Deno, Bun and the adapters of Hono are. */
function webServer(handle: (request: Request) => Promise<Response>): Server {
  const asWeb = (request: IncomingMessage) => {
    const { method = 'GET', url = '/', headers } = request;
    return new Request(new URL(url, 'http://receiver.example'), {
      method,
      headers: Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
      ...(method !== 'GET' && method !== 'HEAD' && { body: Readable.toWeb(request), duplex: 'half' }),
    } as RequestInit);
  };
  return createServer((request, response) => {
    void handle(asWeb(request)).then(async (answer) =>
      response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text()),
    );
  });
}

/** Every way to serve a receiver. */
export const ADAPTERS: Readonly<Record<string, (receiver: Receiver) => Promise<Served>>> = {
  async 'node:http'(receiver) {
    const serving = await serve(receiver, { port: 0, log: { info() {} } });
    return { url: serving.url, [Symbol.asyncDispose]: () => serving.close() };
  },
  Express(receiver) {
    const app = express();
    app.use(createNodeHandler(receiver));
    app.use(express.json());
    app.post('/own', (request, response) => void response.json(request.body));
    return listening(createServer(app));
  },
  async Fastify(receiver) {
    const app = fastify();
    app.post('/own', (request) => request.body);
    await app.register(createFastifyPlugin(receiver));
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    return { url, [Symbol.asyncDispose]: () => app.close() };
  },
  Web: (receiver) => listening(webServer(createWebHandler(receiver))),
};

export const ADAPTER_NAMES = Object.keys(ADAPTERS);

export const serveWith = (adapter: string, receiver: Receiver): Promise<Served> => ADAPTERS[adapter]!(receiver);
