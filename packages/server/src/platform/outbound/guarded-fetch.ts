import { Agent } from 'undici';
import type { AddressGuard } from './address-guard.ts';
import { describeFailure, OutboundFailure } from './failure.ts';
import { guardedConnector, type Resolve } from './guarded-connector.ts';
import { createNameLookup } from './name-lookup.ts';
import { checkTarget } from './target-url.ts';

/** A request to another server for a document, keys or tokens. */
export interface FetchRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

export interface GuardedFetch extends AsyncDisposable {
  /**
   * Returns the response, which may be a redirect. Throws an `OutboundFailure` if the response is missing, incomplete
   * or too large.
   */
  fetch(url: string, request: FetchRequest): Promise<Response>;
}

interface Options {
  readonly guard: AddressGuard;
  readonly resolve?: Resolve;
  /** The deadline for look-up, connection, TLS, headers and body together. */
  readonly deadlineMs?: number;
  readonly maxBytes?: number;
  readonly onNameRefused?: (host: string, reason: string) => void;
}

const MAX_HEADER_BYTES = 16 * 1024;
const KEEP_ALIVE_MS = 4_000;
/** The minimum time until a name without a public address is refused, so that the time does not reveal the reason. */
const REFUSAL_MS = 1_000;

/**
 * Creates a fetch function for servers that users name. It connects only to addresses that `guard`
 * admits, follows no redirects, ignores proxy settings of the environment, and bounds size and time.
 */
export function createGuardedFetch(options: Options): GuardedFetch {
  const { guard, resolve = createNameLookup(), deadlineMs = 8_000, maxBytes = 256 * 1024, onNameRefused } = options;
  const agent = new Agent({
    connect: guardedConnector({ guard, resolve, refusalMs: REFUSAL_MS, onNameRefused }),
    connections: 8,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
  });

  async function request(target: URL, { method, headers, body }: FetchRequest, signal: AbortSignal): Promise<Response> {
    const answer = await agent.request({
      ...{ origin: target.origin, path: target.pathname + target.search, signal },
      ...{ method: method === 'POST' ? 'POST' : 'GET', headers: { ...headers }, body: body ?? null },
    });
    const pieces: Buffer[] = [];
    let bytes = 0;
    for await (const piece of answer.body) {
      const buffer = Buffer.from(piece);
      bytes += buffer.length;
      if (bytes > maxBytes) throw new OutboundFailure(`The answer is larger than ${maxBytes} bytes`);
      pieces.push(buffer);
    }
    const { statusCode: status, headers: received } = answer;
    if (status < 200 || status > 599) throw new OutboundFailure(`The answer has the status ${status}`);
    const type = received['content-type'];
    return new Response(bytes === 0 ? null : Buffer.concat(pieces), {
      status,
      headers: typeof type === 'string' ? { 'content-type': type } : {},
    });
  }

  return {
    async fetch(url, given) {
      const target = checkTarget(url);
      if (typeof target === 'string') throw new OutboundFailure(target);
      const signal = AbortSignal.timeout(deadlineMs);
      try {
        return await request(target, given, signal);
      } catch (error) {
        if (signal.aborted) throw new OutboundFailure(`Timed out after ${deadlineMs / 1000} s`);
        throw new OutboundFailure(describeFailure(error, target.hostname));
      }
    },
    [Symbol.asyncDispose]: () => agent.destroy(),
  };
}
