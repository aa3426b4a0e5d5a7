import { Agent, type IncomingMessage, request } from 'node:http';
import type { Ask } from './plan.ts';

/** The outcome of one request to one replica. */
export type Outcome =
  | { readonly how: 'answered'; readonly status: number; readonly text: string }
  /** The request was not sent, since nobody listens. */
  | { readonly how: 'refused' }
  /** The connection ended before the answer was complete. */
  | { readonly how: 'cut' }
  | { readonly how: 'late' };

const LATEST_MS = 10_000;

/** Sends requests over persistent connections to one replica. */
export interface Sender {
  readonly url: string;
  send(ask: Ask): Promise<Outcome>;
  close(): void;
}

export function createSender(url: string): Sender {
  const agent = new Agent({ keepAlive: true });
  const { hostname, port } = new URL(url);
  return {
    url,
    send: ({ method, path, token, body, scim }) =>
      new Promise((resolve) => {
        const text = body === undefined ? '' : JSON.stringify(body);
        const headers = {
          authorization: `Bearer ${token}`,
          ...(scim && { accept: 'application/scim+json' }),
          ...(text && {
            'content-type': scim ? 'application/scim+json' : 'application/json',
            'content-length': Buffer.byteLength(text),
          }),
        };
        const sent = request({ agent, hostname, port, method, path, headers, timeout: LATEST_MS }, (answer) => {
          readText(answer).then(
            (answered) => resolve({ how: 'answered', status: answer.statusCode ?? 0, text: answered }),
            () => resolve({ how: 'cut' }),
          );
        });
        sent.on('timeout', () => {
          resolve({ how: 'late' });
          sent.destroy();
        });
        sent.on('error', (error: NodeJS.ErrnoException) =>
          resolve({ how: error.code === 'ECONNREFUSED' ? 'refused' : 'cut' }),
        );
        sent.end(text);
      }),
    close: () => agent.destroy(),
  };
}

async function readText(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  if (!answer.complete) throw new Error('An answer was cut');
  return Buffer.concat(chunks).toString();
}
