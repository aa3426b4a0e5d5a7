// Receives deliveries in a process of its own: with the library, verifying them by hand, or only parsing them. Prints its URL.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { createReceiver } from '@moonbase/receiver';
import { createNodeHandler } from '@moonbase/receiver/node';

const [mode, secret = ''] = process.argv.slice(2);

/** Calls back with the body, once all of it is there. */
function readBody(request, onBody) {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => onBody(Buffer.concat(chunks)));
}

/** Sends the same answer as the handler of the library. */
function answer(response, { repo }) {
  const body = JSON.stringify({ repo: repo.name });
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body);
}

/** Reads and parses the body. */
const bare = (request, response) => readBody(request, (body) => answer(response, JSON.parse(body.toString())));

const isEqual = (one, other) => one.length === other.length && timingSafeEqual(one, other);

const key = Buffer.from(secret);

/** Verifies a delivery as its documentation says, in as few lines as that takes, and parses it. */
const verifying = (request, response) => {
  const { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': given, ...headers } = request.headers;
  const refuse = (status) => response.writeHead(status).end();
  if (given === undefined && !isEqual(Buffer.from(headers['x-webhook-secret'] ?? ''), key)) return refuse(403);
  if (given !== undefined && !(Math.abs(Date.now() / 1000 - Number(seconds)) <= 300)) return refuse(403);
  readBody(request, (body) => {
    if (given !== undefined) {
      const made = createHmac('sha256', key).update(`${id}.${seconds}.`).update(body).digest('base64');
      const expected = Buffer.from(`v1,${made}`);
      if (!given.split(' ').some((one) => isEqual(Buffer.from(one), expected))) return refuse(403);
    }
    answer(response, JSON.parse(body.toString()));
  });
};

function library() {
  const receiver = createReceiver({ secret, log: { info() {}, warn() {}, error: console.error } });
  receiver.addWebhook('bench', ({ repo }) => ({ repo: repo.name }));
  return createNodeHandler(receiver);
}

const server = createServer(mode === 'library' ? library() : { bare, verifying }[mode]);
server.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${server.address().port}/webhooks/bench`);
});
process.on('disconnect', () => {
  process.exit();
});
