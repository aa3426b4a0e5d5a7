import type { AddressGuard } from './address-guard.ts';
import { createConnections } from './connections.ts';
import { createDeadlines } from './deadlines.ts';
import { Exchange } from './exchange.ts';
import { describeFailure, OutboundFailure } from './failure.ts';
import { guardedConnector, type Resolve } from './guarded-connector.ts';
import { createNameLookup } from './name-lookup.ts';
import { checkTarget } from './target-url.ts';

/** A POST request: headers are sent as given, the body as UTF-8 with its `content-length`. */
export interface OutboundRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/**
 * `answered`: a response with any status; header names in lower case, repeated ones joined with ", "; the first 4 KiB
 * of the body as text. `failed`: no complete response, with a sentence that says why. Durations are whole milliseconds.
 */
export type OutboundResult =
  | { kind: 'answered'; status: number; headers: Record<string, string>; body: string; durationMs: number }
  | { kind: 'failed'; error: string; durationMs: number };

/** Posts to URLs that users give. `post` always resolves; disposing fails requests in flight and closes connections. */
export interface Outbound {
  post(request: OutboundRequest): Promise<OutboundResult>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Creates the client for URLs that users give. It connects only to addresses that `guard` admits, follows no redirects
 * and ignores proxy settings of the environment. `deadlineMs` (10,000 by default) covers look-up, connection, TLS,
 * headers and body. A name without a public address is refused after `refusalMs` (1,000 by default); only
 * `onNameRefused` learns the reason. Idle connections are closed after `keepAliveMs` (4,000 by default). `signal` fails
 * requests in flight and all later ones.
 */
export function createOutbound(options: {
  guard: AddressGuard;
  resolve?: Resolve;
  deadlineMs?: number;
  refusalMs?: number;
  keepAliveMs?: number;
  onNameRefused?: (host: string, reason: string) => void;
  signal?: AbortSignal;
}): Outbound {
  const { guard, resolve = createNameLookup(), deadlineMs = 10_000, signal: stopSignal } = options;
  const { refusalMs = 1_000, keepAliveMs = 4_000, onNameRefused } = options;
  const connections = createConnections({
    connect: guardedConnector({ guard, resolve, refusalMs, onNameRefused }),
    keepAliveMs,
  });
  const deadlines = createDeadlines<Exchange>((exchange) =>
    exchange.fail(new OutboundFailure(`Timed out after ${deadlineMs / 1000} s`)),
  );
  let stopped = false;

  function post({ url, headers, body }: OutboundRequest): Promise<OutboundResult> {
    if (stopped) return Promise.resolve({ kind: 'failed', error: 'The hub is stopping', durationMs: 0 });
    const target = checkTarget(url);
    if (typeof target === 'string') return Promise.resolve({ kind: 'failed', error: target, durationMs: 0 });
    const startedAt = performance.now();
    return new Promise((answer) => {
      const connection = connections.take(target.origin);
      const exchange = new Exchange(startedAt + deadlineMs, (outcome, complete) => {
        deadlines.delete(exchange);
        if (complete) connections.giveBack(connection);
        else void connection.close();
        const durationMs = Math.round(performance.now() - startedAt);
        if (outcome instanceof Error) {
          answer({ kind: 'failed', error: describeFailure(outcome, target.hostname), durationMs });
        } else {
          answer({ kind: 'answered', ...outcome, durationMs });
        }
      });
      deadlines.add(exchange);
      connection.send({ path: `${target.pathname}${target.search}`, method: 'POST', headers, body }, exchange);
    });
  }

  function stop(): void {
    stopped = true;
    for (const exchange of deadlines.takeAll()) exchange.fail(new OutboundFailure('The hub is stopping'));
  }
  if (stopSignal?.aborted) stop();
  else stopSignal?.addEventListener('abort', stop, { once: true });

  return {
    post,
    async [Symbol.asyncDispose]() {
      stopSignal?.removeEventListener('abort', stop);
      stop();
      await connections.closeAll();
    },
  };
}
