import { setTimeout as wait } from 'node:timers/promises';
import { HubApiError } from '@moonbase/client/errors';
import type { Hub } from '@moonbase/client/request';
import {
  acknowledgeDelivery,
  closeWebhookStream,
  openWebhookStream,
  streamDeliveries,
  type WebhookStream,
  type WebhookStreamInput,
} from '@moonbase/client/webhook-streams';
import { createDeliveries } from './deliveries.ts';
import { forward } from './forward.ts';
import { isNetworkFailure } from './program/failure.ts';
import { type ListenEvent, listenText } from './terminal/listen-output.ts';
import type { Terminal } from './terminal/terminal.ts';

interface ListenOptions {
  readonly url: string;
  readonly timeoutMs: number;
  readonly stream: WebhookStreamInput;
  readonly json: boolean;
}

/** How long a connection may be silent: the hub sends a heartbeat every 15 s. */
const MAX_SILENCE_MS = 45_000;
const MIN_WAIT_MS = 100;
const MAX_WAIT_MS = 10_000;
const CLOSE_WITHIN_MS = 5_000;

/**
 * Forwards the deliveries of a stream to a local URL until the command is interrupted. Each delivery is sent once,
 * whatever the URL responds.
 */
export async function listen(hub: Hub, options: ListenOptions, terminal: Terminal): Promise<void> {
  const { json, url, timeoutMs } = options;
  const ending = new AbortController();
  const stopListening = terminal.onInterrupt?.(() => ending.abort());
  const say = (event: ListenEvent) => terminal.out(json ? `${JSON.stringify(event)}\n` : listenText(event));
  const until = (signal: AbortSignal): Hub => ({ ...hub, signal });

  async function open(): Promise<WebhookStream> {
    const { stream } = await openWebhookStream({ ...until(ending.signal), stream: options.stream });
    const { id: streamId, watched, domains } = stream;
    const names = watched.map(({ type, name }) => ({ type, name }));
    say({ type: 'listening', streamId, watched: names, domains, forwardTo: url });
    return stream;
  }

  /** Reads one connection to its end. Returns whether any event arrived. */
  async function follow(streamId: string): Promise<boolean> {
    const broken = new AbortController();
    const signal = AbortSignal.any([ending.signal, broken.signal]);
    const silence = setTimeout(() => broken.abort(), MAX_SILENCE_MS);
    let connected = false;
    try {
      for await (const { event, data } of streamDeliveries({ ...until(signal), streamId })) {
        connected = true;
        silence.refresh();
        // The hub sends an unacknowledged delivery again on a new connection.
        if (event === 'delivery') deliveries.take(data).catch(() => broken.abort());
      }
    } catch (error) {
      if (!signal.aborted && !isTemporary(error)) throw error;
    } finally {
      clearTimeout(silence);
    }
    return connected;
  }

  let stream: WebhookStream | undefined;
  const deliveries = createDeliveries({
    send: (delivery) => forward(url, delivery, { timeoutMs, signal: ending.signal, fetch: terminal.fetch ?? fetch }),
    async acknowledge(deliveryId, outcome) {
      await acknowledgeDelivery({ ...until(ending.signal), streamId: stream?.id ?? '', deliveryId, ...outcome });
    },
    show: ({ id, headers, body }, outcome) => say({ type: 'delivery', id, ...eventOf(body, headers), ...outcome }),
    ending: ending.signal,
  });

  try {
    // If the first attempt fails, the command ends; a stream that was open once is reopened.
    stream = await open();
    for (let failures = 0; !ending.signal.aborted; ) {
      try {
        stream ??= await open();
        failures = (await follow(stream.id)) ? 0 : failures + 1;
      } catch (error) {
        if (stream && isGone(error)) {
          say({ type: 'expired', streamId: stream.id });
          stream = undefined;
        } else if (!isTemporary(error)) throw error;
        failures += 1;
      }
      if (ending.signal.aborted) break;
      const waitMs = Math.min(MIN_WAIT_MS * 2 ** failures, MAX_WAIT_MS);
      if (stream) say({ type: 'disconnected', retryInMs: waitMs });
      await wait(waitMs, undefined, { signal: ending.signal }).catch(() => {});
    }
  } catch (error) {
    if (!ending.signal.aborted) throw error;
  } finally {
    ending.abort();
    await deliveries.idle();
    stopListening?.();
    if (stream) await close(stream.id);
  }

  async function close(streamId: string): Promise<void> {
    try {
      await closeWebhookStream({ ...until(AbortSignal.timeout(CLOSE_WITHIN_MS)), streamId });
      say({ type: 'closed', streamId });
    } catch {
      terminal.err('The hub could not be notified; the stream ends within a minute.\n');
    }
  }
}

/** Returns whether an error may be temporary: no connection, or a hub that stops or is overloaded. */
const isTemporary = (error: unknown): boolean =>
  isNetworkFailure(error) || (error instanceof HubApiError && (error.status >= 500 || error.status === 429));

const isGone = (error: unknown): boolean => error instanceof HubApiError && error.status === 404;

interface Payload {
  readonly event: { readonly scope: string; readonly action: string };
  readonly repo: { readonly type: string; readonly name: string };
}

function eventOf(body: string, headers: Readonly<Record<string, string>>) {
  const { event, repo }: Payload = JSON.parse(body);
  const test = headers['x-webhook-test'] !== undefined;
  return {
    ...{ scope: event.scope, action: event.action, repo: { type: repo.type, name: repo.name } },
    ...(test && { test }),
  };
}
