import type { WebhookStreamEvents } from '@moonbase/contract/webhooks/streams';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/transaction.ts';
import type { Principal } from '../../platform/http/authenticate.ts';
import { serverSentEvent } from '../../platform/http/event-stream.ts';
import type { LiveStream } from '../../platform/http/live-stream.ts';
import type { Messages } from '../delivery/compose.ts';
import { loadForSending, type Sendable, tokenReadsRepoOf } from '../delivery/delivery-store.ts';
import type { AttemptRecorder } from '../delivery/recording/attempt-recorder.ts';
import { type Connection, extendStream, isCurrent, WINDOW, windowOfStream } from './store.ts';

/** How long a stream stays without a connection: enough for a restart of the hub. */
export const GRACE_MS = 60_000;
/** How often a connection looks for new deliveries without a signal. */
const POLL_MS = 1_000;
/** How often a connection looks for acknowledgements while it may send nothing without one. */
const FULL_POLL_MS = 100;
const ALIVE_MS = 15_000;
const NOT_READ = 'The access token of the connection may not read the repository';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly messages: Messages;
  readonly recorder: AttemptRecorder;
}

interface OpenedStream extends LiveStream {
  readonly at: Connection;
  /** Returns the present principal of the connection. Throws where it may no longer read the stream. */
  readonly allowed: () => Promise<Principal>;
}

const event = <Name extends keyof WebhookStreamEvents>(name: Name, data: WebhookStreamEvents[Name]): string =>
  serverSentEvent(name, JSON.stringify(data));

/**
 * Returns the generator of a connection's events: the first unacknowledged deliveries of the stream, each once, in their order.
 * The rows alone say which deliveries these are: acknowledgements may reach another process.
 */
export function createStreamConnection({ database, clock, messages, recorder }: Dependencies) {
  const { read } = database;

  /** Returns the event of a delivery; undefined where the delivery is finished, or cannot be sent and thereby fails. */
  async function messageOf(id: string, reader: Principal): Promise<string | undefined> {
    const [delivery] = await loadForSending(read, [id]);
    if (!delivery) return undefined;
    const now = clock.now();
    const error =
      messages.obstacleTo(delivery, now) ?? ((await tokenReadsRepoOf(read, id, reader)) ? undefined : NOT_READ);
    if (error === undefined) {
      const { headers, body } = messages.compose(delivery, now);
      return event('delivery', { id, headers, body });
    }
    await recorder.add(unsent(delivery, now, error), true);
    return undefined;
  }

  return async function* carry({ at, allowed, nudge, ended }: OpenedStream): AsyncGenerator<string> {
    let sent = new Set<string>();
    let aliveAt = Number.NEGATIVE_INFINITY;
    for (; !ended.aborted; await nudge.wait(sent.size < WINDOW ? POLL_MS : FULL_POLL_MS, ended)) {
      if (performance.now() - aliveAt >= ALIVE_MS) {
        await allowed();
        if (!(await database.transaction((tx) => extendStream(tx, at, clock.now() + GRACE_MS)))) return;
        aliveAt = performance.now();
        yield event('alive', {});
      } else if (!(await isCurrent(read, at))) return;
      const window = await windowOfStream(read, at.streamId);
      const fresh = window.filter((id) => !sent.has(id));
      sent = new Set(window);
      if (fresh.length === 0) continue;
      const [reader] = await Promise.all([allowed(), database.durable()]);
      for (const id of fresh) {
        const message = ended.aborted ? undefined : await messageOf(id, reader);
        if (message !== undefined) yield message;
        // The delivery left the window, which has a free place now.
        else nudge();
      }
    }
  };
}

const unsent = (delivery: Sendable, startedAt: number, error: string) => ({
  ...{ delivery, startedAt, url: null, jobId: null, note: null },
  result: { kind: 'failed', error, durationMs: 0 } as const,
});
