import { connect } from 'node:net';

/** Returns the bytes of a request; called once for each request. */
export type NextRequest = () => string;

/** Returns the bytes of an HTTP/1.1 request on a persistent connection. */
export function requestBytes(
  url: URL,
  method: string,
  path: string,
  headers: Record<string, string>,
  body = '',
): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const length = method === 'GET' || method === 'HEAD' ? '' : `content-length: ${Buffer.byteLength(body)}\r\n`;
  return `${method} ${path} HTTP/1.1\r\nhost: ${url.host}\r\n${lines.join('')}${length}\r\n${body}`;
}

interface Load {
  readonly url: URL;
  readonly connections: number;
  /** The number of requests, unless `until` ends the load earlier. */
  readonly requests: number;
  readonly next: NextRequest;
  /** Called with the milliseconds of each answer. */
  readonly onAnswer?: (ms: number) => void;
}

/**
 * Sends requests over several connections, each after the previous answer, with minimal work per request, since the
 * generator shares two cores with the measured hub. Returns the requests per second; throws on any status but 2xx.
 */
export async function load({ url, connections, requests, next, onAnswer }: Load): Promise<number> {
  let left = requests;
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: Math.min(connections, requests) }, () =>
      onConnection(url, (send) => {
        if (left === 0) return false;
        left--;
        const sentAt = performance.now();
        send(next(), () => onAnswer?.(performance.now() - sentAt));
        return true;
      }),
    ),
  );
  return requests / ((performance.now() - startedAt) / 1000);
}

type Step = (send: (bytes: string, answered: () => void) => void) => boolean;

/** Drives one connection: takes the next step after each complete answer. */
function onConnection(url: URL, step: Step): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(url.port), url.hostname);
    socket.setNoDelay(true);
    let answered = () => {};
    let isHead = false;
    let text = '';
    const go = () => {
      const more = step((bytes, whenAnswered) => {
        answered = whenAnswered;
        isHead = bytes.startsWith('HEAD ');
        socket.write(bytes);
      });
      if (!more) socket.end(() => resolve());
    };
    socket.on('connect', go);
    socket.on('error', reject);
    socket.on('close', () => resolve());
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      const head = text.indexOf('\r\n\r\n');
      if (head < 0) return;
      const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, head))?.[1];
      if (length === undefined) return reject(new Error(`An answer without content-length: ${text.slice(0, head)}`));
      if (text.length < head + 4 + (isHead ? 0 : Number(length))) return;
      if (!/^HTTP\/1\.1 2/.test(text)) return reject(new Error(`An answer that is no success: ${text}`));
      text = '';
      answered();
      go();
    });
  });
}
