import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Receives deliveries and counts them by `webhook-id`. */
export interface Sink extends AsyncDisposable {
  readonly url: string;
  /** The ref in the payload of each delivery id, and the number of its requests. */
  readonly deliveries: Map<string, { readonly ref: string; times: number }>;
  /** The commits that refs were moved to. */
  readonly heads: Set<string>;
  /** The time at which each ref arrived first, in epoch milliseconds. */
  readonly arrivals: Map<string, number>;
  /** Returns the number of all requests, whatever their outcome. */
  requests(): number;
  /** Refuses connections until `listen` is called. */
  refuse(): void;
  listen(): Promise<void>;
}

/** The way in which a receiver treats one request. */
export type Mood = 'well' | 'failing' | 'slow' | 'resetting' | 'hanging';

const SLOW_MS = 1000;

interface Payload {
  readonly updatedRefs?: { ref: string; newSha: string | null }[];
}

/** Starts a receiver that asks `moodFor` at every request; only those it takes well or slowly count as deliveries. */
export async function startSink(moodFor: (deliveryId: string) => Mood = () => 'well'): Promise<Sink> {
  const deliveries: Sink['deliveries'] = new Map();
  const heads: Sink['heads'] = new Set();
  const arrivals: Sink['arrivals'] = new Map();
  let requests = 0;
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    request.on('end', () => {
      const id = String(request.headers['webhook-id']);
      requests++;
      const mood = moodFor(id);
      if (mood === 'resetting') return request.socket.resetAndDestroy();
      if (mood === 'hanging') return;
      if (mood === 'failing') return response.writeHead(500).end();
      const { updatedRefs } = JSON.parse(text) as Payload;
      const ref = updatedRefs?.[0]?.ref ?? '';
      for (const { newSha } of updatedRefs ?? []) if (newSha !== null) heads.add(newSha);
      if (!arrivals.has(ref)) arrivals.set(ref, Date.now());
      const known = deliveries.get(id);
      if (known) known.times++;
      else deliveries.set(id, { ref, times: 1 });
      if (mood === 'slow') setTimeout(() => response.end(), SLOW_MS);
      else response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    deliveries,
    heads,
    arrivals,
    requests: () => requests,
    refuse() {
      server.close();
      server.closeAllConnections();
    },
    listen: () => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve)),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
