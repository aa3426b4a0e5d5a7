import { once } from 'node:events';
import { type Agent, request } from 'node:http';

/** Sends a GET request and discards the body; returns its length. Throws on any status but 200 and 206. */
export async function fetchBytes(
  url: string | URL,
  headers: Readonly<Record<string, string>>,
  agent: Agent | false = false,
): Promise<number> {
  const asking = request(url, { headers, agent });
  asking.end();
  const [answer] = await once(asking, 'response');
  if (answer.statusCode !== 200 && answer.statusCode !== 206)
    throw new Error(`A download was answered with ${answer.statusCode}`);
  let length = 0;
  answer.on('data', (chunk: Buffer) => {
    length += chunk.length;
  });
  await once(answer, 'end');
  return length;
}
