import { lookup } from 'node:dns/promises';
import { Agent, request } from 'undici';
import type { AddressGuard } from './address-guard.ts';
import { type Answer, readAnswer } from './answer.ts';
import { describeFailure, OutboundFailure } from './failure.ts';
import { guardedConnector, type Resolve, refuseDeniedLiteral } from './guarded-connector.ts';
import { checkTargetUrl, parseUrl } from './target-url.ts';

/** A POST to make: the headers are sent as given, the body as UTF-8 with its `content-length`. */
export interface OutboundRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/**
 * `answered`: any HTTP status; header names in lower case, repeated ones joined with ", "; of the body the first 4 KiB
 * as text. `failed`: no complete answer, and a sentence that says why. Times are whole milliseconds.
 */
export type OutboundResult =
  | { kind: 'answered'; status: number; headers: Record<string, string>; body: string; durationMs: number }
  | { kind: 'failed'; error: string; durationMs: number };

/** Posts to URLs that users give. `post` always resolves; disposing fails what is in flight and closes connections. */
export interface Outbound {
  post(request: OutboundRequest): Promise<OutboundResult>;
  [Symbol.asyncDispose](): Promise<void>;
}

const KEEP_ALIVE_MS = 4_000;
const MAX_HEADER_BYTES = 16 * 1024;
const CONNECT_GRACE_MS = 500;

const resolveBySystem: Resolve = async (host) => {
  const addresses = await lookup(host, { all: true, verbatim: true });
  return addresses.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
};

function hostOf(url: string): string {
  return parseUrl(url)?.hostname ?? '';
}

function rejectionOf(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/**
 * Every address connected to is one that `guard` admits. No redirect is followed, no proxy setting of the environment
 * is read. One deadline (`deadlineMs`, 10,000 by default) covers look-up, connection, TLS, headers and body.
 * `signal` fails what is in flight and everything after it.
 */
export function createOutbound(options: {
  guard: AddressGuard;
  resolve?: Resolve;
  deadlineMs?: number;
  signal?: AbortSignal;
}): Outbound {
  const { guard, resolve = resolveBySystem, deadlineMs = 10_000, signal: stopSignal } = options;
  const inFlight = new Set<AbortController>();
  let stopped = false;
  const connections = new Agent({
    // The deadline decides; this one only frees a connection attempt that nobody waits for any more.
    connect: guardedConnector(guard, resolve, deadlineMs + CONNECT_GRACE_MS),
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: 0,
    bodyTimeout: 0,
  });

  async function exchange({ url, headers, body }: OutboundRequest, signal: AbortSignal): Promise<Answer> {
    const mistake = checkTargetUrl(url);
    if (mistake !== undefined) throw new OutboundFailure(mistake);
    refuseDeniedLiteral(guard, hostOf(url));
    return readAnswer(await request(url, { dispatcher: connections, method: 'POST', headers, body, signal }));
  }

  async function post(outgoing: OutboundRequest): Promise<OutboundResult> {
    const startedAt = performance.now();
    const duration = () => Math.round(performance.now() - startedAt);
    if (stopped) return { kind: 'failed', error: 'The hub is stopping', durationMs: 0 };
    const controller = new AbortController();
    const expire = () => controller.abort(new OutboundFailure(`Timed out after ${deadlineMs / 1000} s`));
    const timer = setTimeout(expire, deadlineMs);
    inFlight.add(controller);
    try {
      // undici looks at the signal only once it is connected, hence the race: a look-up may hang.
      const answer = await Promise.race([exchange(outgoing, controller.signal), rejectionOf(controller.signal)]);
      return { kind: 'answered', ...answer, durationMs: duration() };
    } catch (error) {
      return { kind: 'failed', error: describeFailure(error, hostOf(outgoing.url)), durationMs: duration() };
    } finally {
      clearTimeout(timer);
      inFlight.delete(controller);
    }
  }

  function stop(): void {
    stopped = true;
    for (const controller of inFlight) controller.abort(new OutboundFailure('The hub is stopping'));
  }
  if (stopSignal?.aborted) stop();
  else stopSignal?.addEventListener('abort', stop, { once: true });

  return {
    post,
    async [Symbol.asyncDispose]() {
      stopSignal?.removeEventListener('abort', stop);
      stop();
      await connections.destroy();
    },
  };
}
