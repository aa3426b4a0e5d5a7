import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Listens on several origins and prints them in one line, because one worker sends everything to one origin. */
export async function listenAs(origins: number, listener: RequestListener): Promise<void> {
  const urls: string[] = [];
  for (let at = 0; at < origins; at++) {
    const server = createServer(listener);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    urls.push(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  }
  console.log(urls.join(' '));
}
