import { Readable } from 'node:stream';
import { Answer } from './answer.ts';

/** One server-sent event, with data in JSON. */
export const serverSentEvent = (name: string, json: string): string => `event: ${name}\ndata: ${json}\n\n`;

/** Keeps what is between from closing a connection on which nothing happens. */
export const HEARTBEAT = ':\n\n';

/**
 * Answers server-sent events: what `source` yields, as fast as the caller reads. The signal aborts when the connection
 * closes; a source that fails ends the stream, and the caller connects again.
 */
export function eventStream(source: (signal: AbortSignal) => AsyncGenerator<string>): Answer<never> {
  const closed = new AbortController();
  const events = source(closed.signal);
  const body = new Readable({
    read() {
      events.next().then(
        ({ done, value }) => this.push(done ? null : value),
        () => this.push(null),
      );
    },
    destroy(error, done) {
      closed.abort();
      done(error);
    },
  });
  return new Answer(body as never, {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
  });
}
