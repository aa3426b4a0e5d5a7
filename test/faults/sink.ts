import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Takes deliveries and counts them by `webhook-id`. */
export interface Sink extends AsyncDisposable {
  readonly url: string;
  /** For each delivery id, the refs of its payload and how often it came. */
  readonly deliveries: Map<string, { readonly ref: string; times: number }>;
}

interface Payload {
  readonly updatedRefs?: { ref: string }[];
}

export async function startSink(): Promise<Sink> {
  const deliveries: Sink['deliveries'] = new Map();
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    request.on('end', () => {
      const id = String(request.headers['webhook-id']);
      const { updatedRefs } = JSON.parse(text) as Payload;
      const known = deliveries.get(id);
      if (known) known.times++;
      else deliveries.set(id, { ref: updatedRefs?.[0]?.ref ?? '', times: 1 });
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    deliveries,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
