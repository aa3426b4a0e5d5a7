import { Readable } from 'node:stream';
import { type Answer, rawAnswer } from './answer.ts';

/** One server-sent event, with data in JSON. */
export const serverSentEvent = (name: string, json: string): string => `event: ${name}\ndata: ${json}\n\n`;

/** Keeps what is between from closing a connection on which nothing happens. */
export const HEARTBEAT = ':\n\n';

/** Yields events until the signal aborts. */
export type EventSource = (signal: AbortSignal) => AsyncGenerator<string>;

/** Calls `end` once an answer has to end; returns how to stop watching. */
export type Watch = (end: () => void) => () => void;

/**
 * Answers server-sent events: what `source` yields, as fast as the caller reads. The signal aborts when the connection
 * closes, or when `watch` calls `end`: nothing that is yielded later is sent. A source that fails ends the stream, and
 * the caller connects again.
 */
export function eventStream(source: EventSource, watch: Watch): Answer<never> {
  const closed = new AbortController();
  const events = source(closed.signal);
  const stopWatching = watch(() => closed.abort());
  const body = new Readable({
    read() {
      events.next().then(
        ({ done, value }) => this.push(done || closed.signal.aborted ? null : value),
        () => this.push(null),
      );
    },
    destroy(error, done) {
      stopWatching();
      closed.abort();
      done(error);
    },
  });
  return rawAnswer(body, {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
  });
}
