// node bare-posts.ts URL COUNT CONCURRENCY HEADERS BODY: the reference for deliveries. Prints posts per second.
import { Agent, request } from 'undici';

const [url = '', count = '0', concurrency = '1', headersText = '{}', body = ''] = process.argv.slice(2);
const headers = JSON.parse(headersText) as Record<string, string>;
const dispatcher = new Agent();
let left = Number(count);
const startedAt = performance.now();
await Promise.all(
  Array.from({ length: Number(concurrency) }, async () => {
    while (left > 0) {
      left--;
      const answer = await request(url, { method: 'POST', headers, body, dispatcher });
      await answer.body.text();
    }
  }),
);
console.log(Number(count) / ((performance.now() - startedAt) / 1000));
await dispatcher.close();
