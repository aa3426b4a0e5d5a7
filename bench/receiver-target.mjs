// Receives deliveries in a process of its own, with the library or without it. Prints its URL.
import { createServer } from 'node:http';
import { createReceiver } from '@moonbase/receiver';
import { createNodeHandler } from '@moonbase/receiver/node';

const [mode, secret = ''] = process.argv.slice(2);

/** Reads and parses the body, and returns the same answer as the handler of the library. */
const bare = (request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const { repo } = JSON.parse(Buffer.concat(chunks).toString());
    const body = JSON.stringify({ repo: repo.name });
    response
      .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
      .end(body);
  });
};

function library() {
  const receiver = createReceiver({ secret, log: { info() {}, warn() {}, error: console.error } });
  receiver.addWebhook('bench', ({ repo }) => ({ repo: repo.name }));
  return createNodeHandler(receiver);
}

const server = createServer(mode === 'bare' ? bare : library());
server.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${server.address().port}/webhooks/bench`);
});
process.on('disconnect', () => {
  process.exit();
});
