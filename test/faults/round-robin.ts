import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pause } from './pace.ts';

/** A load balancer in front of the replicas of a hub. */
export interface RoundRobin extends AsyncDisposable {
  readonly url: string;
  /** Replaces a replica by another. */
  replace(before: string, after: string): void;
}

const PROBE_MS = 50;

/**
 * Hands requests to the replicas in turn over persistent connections, skipping replicas that are not ready. If one
 * refuses the connection, the next is asked; any other failure returns 502 to the caller.
 */
export async function startRoundRobin(replicas: readonly string[]): Promise<RoundRobin> {
  const urls = [...replicas];
  const unready = new Set<string>();
  const agent = new Agent({ keepAlive: true });
  let turn = 0;
  let closed = false;

  async function probe(): Promise<void> {
    for (; !closed; await pause(PROBE_MS))
      for (const url of urls) {
        const ready = await fetch(`${url}/ready`).then(
          ({ ok }) => ok,
          () => false,
        );
        if (ready) unready.delete(url);
        else unready.add(url);
      }
  }

  function forward(incoming: IncomingMessage, answer: ServerResponse, body: Buffer, tries: number): void {
    const ready = urls.filter((url) => !unready.has(url));
    const among = ready.length > 0 ? ready : urls;
    turn += 1;
    const url = new URL(incoming.url ?? '/', among[turn % among.length]);
    const { method, headers } = incoming;
    const outgoing = request(url, { agent, method, headers: { ...headers, host: url.host } }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED' && tries > 1) forward(incoming, answer, body, tries - 1);
      else if (answer.headersSent) answer.destroy();
      else answer.writeHead(502, { 'content-type': 'application/json' }).end(JSON.stringify({ error: error.message }));
    });
    outgoing.end(body);
  }

  const server = createServer((incoming, answer) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => forward(incoming, answer, Buffer.concat(chunks), 5));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const probing = probe();
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    replace(before, after) {
      urls.splice(urls.indexOf(before), 1, after);
    },
    async [Symbol.asyncDispose]() {
      closed = true;
      await probing;
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      agent.destroy();
    },
  };
}
