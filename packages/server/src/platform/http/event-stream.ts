import { Readable } from 'node:stream';
import { type Answer, rawAnswer } from './answer.ts';

/** Returns the text of one server-sent event; `json` is its data. */
export const serverSentEvent = (name: string, json: string): string => `event: ${name}\ndata: ${json}\n\n`;

/** A comment line that keeps proxies from closing an idle connection. */
export const HEARTBEAT = ':\n\n';

/** Yields events until the signal aborts. */
export type EventSource = (signal: AbortSignal) => AsyncGenerator<string>;

/** Calls `onEnd` when a response must end; returns a function that stops watching. */
export type Watch = (onEnd: () => void) => () => void;

/**
 * Responds with server-sent events from `source`, as fast as the client reads them. The signal aborts when the
 * connection closes or when `watch` ends the response; later events are not sent. If the source fails, the stream ends
 * and the client reconnects.
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
