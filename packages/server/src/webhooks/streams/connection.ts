import type { WebhookStreamEvents } from '@moonbase/contract/webhooks/streams';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/transaction.ts';
import type { Principal } from '../../platform/http/authenticate.ts';
import { serverSentEvent } from '../../platform/http/event-stream.ts';
import type { LiveStream } from '../../platform/http/live-stream.ts';
import type { AttemptRecorder } from '../delivery/attempt-recorder.ts';
import type { Messages } from '../delivery/compose.ts';
import { isReadBy, loadForSending, type Sendable } from '../delivery/delivery-store.ts';
import { type Connection, extendStream, isCurrent, WINDOW, windowOfStream } from './store.ts';

/** How long a stream stays without a connection: enough for a restart of the hub. */
export const GRACE_MS = 60_000;
/** Where nobody tells of news, as another process made them, they are looked for so often. */
const POLL_MS = 1_000;
/** The same for acknowledgements, where nothing can be sent without one. */
const FULL_POLL_MS = 100;
const ALIVE_MS = 15_000;
const NOT_READ = 'The access token of the connection may not read the repository';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly messages: Messages;
  readonly recorder: AttemptRecorder;
}

interface Opened extends LiveStream {
  readonly at: Connection;
  /** Who reads it now; throws where that caller may not any more. */
  readonly allowed: () => Promise<Principal>;
}

const event = <Name extends keyof WebhookStreamEvents>(name: Name, data: WebhookStreamEvents[Name]): string =>
  serverSentEvent(name, JSON.stringify(data));

/**
 * What a connection of a stream carries: the first deliveries that are not acknowledged, each once, in their order. The
 * rows alone say which those are: acknowledgements may come to another process.
 */
export function createStreamConnection({ database, clock, messages, recorder }: Dependencies) {
  const { read } = database;

  /** What is sent of a delivery; undefined where it is done, or cannot be sent, which ends it. */
  async function messageOf(id: string, reader: Principal): Promise<string | undefined> {
    const [delivery] = await loadForSending(read, [id]);
    if (!delivery) return undefined;
    const now = clock.now();
    const error = messages.obstacleTo(delivery, now) ?? ((await isReadBy(read, id, reader)) ? undefined : NOT_READ);
    if (error === undefined) {
      const { headers, body } = messages.compose(delivery, now);
      return event('delivery', { id, headers, body });
    }
    await recorder.add(unsent(delivery, now, error), true);
    return undefined;
  }

  return async function* carry({ at, allowed, nudge, ended }: Opened): AsyncGenerator<string> {
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
      const reader = await allowed();
      for (const id of fresh) {
        const message = ended.aborted ? undefined : await messageOf(id, reader);
        if (message !== undefined) yield message;
        // Its place in the window is free.
        else nudge();
      }
    }
  };
}

const unsent = (delivery: Sendable, startedAt: number, error: string) => ({
  ...{ delivery, startedAt, url: null, jobId: null, note: null },
  result: { kind: 'failed', error, durationMs: 0 } as const,
});
