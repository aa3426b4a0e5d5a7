import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebhookPayload } from '@moonbase/contract/webhooks/payload';

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The body as received. */
  readonly text: string;
  readonly payload: WebhookPayload;
}

/** A server that receives deliveries, keeps them, and gives a fixed answer. */
export interface Receiver extends AsyncDisposable {
  readonly url: string;
  readonly received: Received[];
  /** Returns the received events as `scope/action`, in order of arrival. */
  events(): string[];
  /** Sets the answer to all further deliveries. */
  answer(status: number, headers?: Record<string, string>, body?: string): void;
}

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  let status = 200;
  let answerHeaders: Record<string, string> = {};
  let answerBody = 'thank you';
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const payload = WebhookPayload.parse(JSON.parse(text));
      received.push({ path: request.url ?? '', headers: request.headers, text, payload });
      response.writeHead(status, answerHeaders).end(answerBody);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    events: () => received.map(({ payload }) => `${payload.event.scope}/${payload.event.action}`),
    answer(next, headers = {}, body = 'thank you') {
      status = next;
      answerHeaders = headers;
      answerBody = body;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
