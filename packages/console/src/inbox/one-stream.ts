import { HubApiError } from '@moonbase/client/errors';
import { type NotificationEvent, streamNotifications } from '@moonbase/client/notifications';
import type { Hub } from '@moonbase/client/request';
import { noteRefusal } from '../session/queries.ts';

export type Connection = 'open' | 'broken' | 'refused';

interface Listener {
  /** `isFirst`: the counters with which a stream begins. */
  readonly onEvent: (event: NotificationEvent, isFirst: boolean) => void;
  readonly onConnection: (connection: Connection) => void;
}

/** What tabs tell each other: an event, that the stream is broken, a new tab's question for the counters, and the answer. */
type Message =
  | { readonly is: 'event'; readonly event: NotificationEvent; readonly isFirst: boolean }
  | { readonly is: 'broken' }
  | { readonly is: 'question' }
  | { readonly is: 'answer'; readonly event: NotificationEvent };

const NAME = 'moonbase-inbox';
/** A stream that ends is opened again at once, at a random moment, since the hub may have ended those of many pages. */
const MAX_FIRST_WAIT_MS = 200;
const NEXT_WAIT_MS = 1000;
const MAX_WAIT_MS = 30_000;
/** How long a stream must last for its end to be the first failure. */
const STEADY_MS = 5000;

/**
 * Listens to the stream of notifications until the signal aborts. One tab of the browser has the stream and tells the others:
 * browsers open at most six connections to a host over HTTP/1.1.
 */
export function listenToInbox(hub: Hub, signal: AbortSignal, { onEvent, onConnection }: Listener): void {
  const channel = new BroadcastChannel(NAME);
  const tell = (message: Message) => channel.postMessage(message);
  /** The newest counters, in the tab that has the stream. */
  let counts: NotificationEvent | undefined;
  let hasHeard = false;
  const hear = (event: NotificationEvent, isFirst: boolean) => {
    hasHeard = true;
    onEvent(event, isFirst);
  };
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.is === 'event') hear(data.event, data.isFirst);
    else if (data.is === 'broken') onConnection('broken');
    else if (data.is === 'answer' && !hasHeard) hear(data.event, true);
    else if (data.is === 'question' && counts) tell({ is: 'answer', event: counts });
  };
  signal.addEventListener('abort', () => channel.close());
  tell({ is: 'question' });
  const listening = () =>
    keepStream(hub, signal, {
      onEvent(event, isFirst) {
        if (event.event === 'count') counts = event;
        hear(event, isFirst);
        tell({ is: 'event', event, isFirst });
      },
      onConnection(connection) {
        onConnection(connection);
        if (connection === 'broken') tell({ is: 'broken' });
      },
    });
  // Browsers have locks where the address is https or of this machine; elsewhere each tab has a stream.
  if (!isSecureContext) void listening();
  else void navigator.locks.request(NAME, { signal }, listening).catch(() => undefined);
}

/** Opens the stream, again and again, until the hub refuses it or the signal aborts. */
async function keepStream(hub: Hub, signal: AbortSignal, { onEvent, onConnection }: Listener): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    const began = Date.now();
    try {
      let isFirst = true;
      for await (const event of streamNotifications({ ...hub, signal })) {
        onEvent(event, isFirst);
        isFirst = false;
      }
    } catch (error) {
      if (signal.aborted) return;
      noteRefusal(error);
      if (error instanceof HubApiError && [401, 403].includes(error.status)) return onConnection('refused');
    }
    if (signal.aborted) return;
    if (Date.now() - began > STEADY_MS) failures = 0;
    if (failures > 0) onConnection('broken');
    await pause(waitAfter(failures++), signal);
  }
}

const waitAfter = (failures: number): number =>
  failures === 0 ? Math.random() * MAX_FIRST_WAIT_MS : Math.min(NEXT_WAIT_MS * 2 ** (failures - 1), MAX_WAIT_MS);

/** Waits until the time is over, the browser is online again or the signal aborts. */
const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const over = new AbortController();
    const end = () => {
      clearTimeout(timer);
      over.abort();
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end, { signal: over.signal });
    window.addEventListener('online', end, { signal: over.signal });
  });
