import { createNudge, type Nudge } from '../queue/nudge.ts';
import type { Signals } from '../queue/signals.ts';
import type { Caller } from './authenticate.ts';
import { HubError } from './errors.ts';
import type { EventSource } from './event-stream.ts';

interface Options {
  /** Wakes the streams that are open for an id. */
  readonly signals: Signals;
  /** The maximum number of streams that one user may have open in this process. */
  readonly maxPerUser?: number;
}

/** The parameters of the generator that yields the events of a stream. */
export interface LiveStream {
  /**
   * Wakes the stream. A signal for the id of the stream triggers the nudge, and the generator may trigger it as well.
   */
  readonly nudge: Nudge;
  /** Aborts when the connection closes or the hub stops. */
  readonly ended: AbortSignal;
}

export type LiveStreams = ReturnType<typeof createLiveStreams>;

/** Live streams of one kind: woken by signals, counted per user, and all ended when the hub stops. */
export function createLiveStreams({ signals, maxPerUser = Number.POSITIVE_INFINITY }: Options) {
  const stopping = new AbortController();
  const openByUser = new Map<string, number>();

  function count(userId: string, change: 1 | -1): void {
    const now = (openByUser.get(userId) ?? 0) + change;
    if (now === 0) openByUser.delete(userId);
    else openByUser.set(userId, now);
  }

  return {
    /** Opens a stream about `id`. Throws 503 while the hub stops, 429 if the user has too many open streams. */
    open(
      { principal: { userId } }: Caller,
      id: string,
      events: (stream: LiveStream) => AsyncGenerator<string>,
    ): EventSource {
      if (stopping.signal.aborted) throw new HubError(503, 'The hub is stopping');
      if ((openByUser.get(userId) ?? 0) >= maxPerUser)
        throw new HubError(429, `You can have at most ${maxPerUser} streams open; close another one`);
      return (closed) => {
        const ended = AbortSignal.any([closed, stopping.signal]);
        const nudge = createNudge();
        // The stream is counted before its first read, because a connection that closes earlier never starts the
        // generator.
        count(userId, 1);
        const stopListening = signals.listen(id, nudge);
        const end = () => {
          stopListening();
          count(userId, -1);
        };
        if (ended.aborted) end();
        else ended.addEventListener('abort', end, { once: true });
        return events({ nudge, ended });
      };
    },

    /** Ends all streams and refuses new ones. */
    close: () => stopping.abort(),
  };
}
