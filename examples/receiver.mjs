// Receives webhooks and prints them: `node examples/receiver.mjs [port] [secret]`. No dependencies.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const [port = '4000', secret] = process.argv.slice(2);

/** Standard Webhooks: HMAC-SHA256 over id, timestamp and body; several signatures while a secret is rotated. */
function isSigned(headers, body) {
  const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const expected = Buffer.from(`v1,${createHmac('sha256', secret).update(content).digest('base64')}`);
  return String(headers['webhook-signature'])
    .split(' ')
    .map((signature) => Buffer.from(signature))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected));
}

async function receive(request, response) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString();
  if (secret !== undefined && !isSigned(request.headers, body)) return response.writeHead(401).end();
  response.end();
  const { event, repo, discussion, comment } = JSON.parse(body);
  const about = [discussion && `#${discussion.num} ${discussion.title}`, comment?.content].filter(Boolean).join(': ');
  console.log(`${event.scope}/${event.action}  ${repo.type} ${repo.name}  ${about}`);
}

createServer((request, response) => void receive(request, response)).listen(Number(port), '127.0.0.1', () =>
  console.log(`Waiting for webhooks at http://127.0.0.1:${port}`),
);
