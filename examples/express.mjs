// Receives webhooks in an Express application: `WEBHOOK_SECRET=… node examples/express.mjs [port]`.
import { createReceiver } from '@moonbase/receiver';
import { createNodeHandler } from '@moonbase/receiver/node';
import express from 'express';

const [port = '4000'] = process.argv.slice(2);
const newest = new Map();

const receiver = createReceiver();
receiver.addWebhook('commits', ({ repo }) => {
  newest.set(repo.name, repo.headSha);
  return { known: newest.size };
});

const app = express();
// Before the parsers of bodies: a signature covers the bytes as they came.
app.use(createNodeHandler(receiver));
app.use(express.json());
app.get('/commits', (_request, response) => response.json(Object.fromEntries(newest)));

const server = app.listen(Number(port), '127.0.0.1', () =>
  console.log(`Listening at http://127.0.0.1:${server.address().port}`),
);
