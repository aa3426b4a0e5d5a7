import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Receives deliveries in this process and reports when their first bytes arrived. */
export interface Receiver extends AsyncDisposable {
  readonly url: string;
}

type Mode = 'answers' | 'hangs' | 'refuses';

/**
 * Starts a receiver that calls `arrived` with the ref of the payload and the time of the request's first bytes
 * (`performance.now()`).
 */
export async function startReceiver(mode: Mode, arrived: (ref: string, at: number) => void): Promise<Receiver> {
  const server: Server = createServer((request, response) => {
    const at = performance.now();
    let text = '';
    request.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
    });
    request.on('end', () => {
      if (mode === 'hangs') return;
      const ref = /"ref":"refs\/heads\/([^"]+)"/.exec(text)?.[1];
      if (ref !== undefined) arrived(ref, at);
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  if (mode === 'refuses') await close();
  return { url, [Symbol.asyncDispose]: mode === 'refuses' ? async () => {} : close };
}
