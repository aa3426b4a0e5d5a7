// node bare-list.ts JSON: the reference for lists, a node:http server that serialises the same objects from memory.
// Prints its URL.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const objects: unknown = JSON.parse(process.argv[2] ?? '[]');
const server = createServer((_request, response) => {
  const body = JSON.stringify(objects);
  response.setHeader('content-type', 'application/json; charset=utf-8');
  response.setHeader('content-length', Buffer.byteLength(body));
  response.end(body);
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`));
