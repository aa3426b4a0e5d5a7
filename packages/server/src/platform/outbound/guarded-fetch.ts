import type { AddressGuard } from './address-guard.ts';
import { OutboundFailure } from './failure.ts';
import type { Resolve } from './guarded-connector.ts';
import { createGuardedStreams } from './guarded-streams.ts';

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

/**
 * Creates a fetch function for servers that users name. It connects only to addresses that `guard`
 * admits, follows no redirects, ignores proxy settings of the environment, and bounds size and time.
 */
export function createGuardedFetch(options: Options): GuardedFetch {
  const { deadlineMs = 8_000, maxBytes = 256 * 1024, ...others } = options;
  const streams = createGuardedStreams({ ...others, headersMs: deadlineMs, stallMs: deadlineMs });

  async function request(url: string, given: FetchRequest, signal: AbortSignal): Promise<Response> {
    const { method, headers, body } = given;
    await using answer = await streams.open(url, { method: method === 'POST' ? 'POST' : 'GET', headers, body, signal });
    const pieces: Buffer[] = [];
    let bytes = 0;
    for await (const piece of answer.body) {
      bytes += piece.length;
      if (bytes > maxBytes) throw new OutboundFailure(`The answer is larger than ${maxBytes} bytes`);
      pieces.push(piece);
    }
    const { status } = answer;
    if (status < 200 || status > 599) throw new OutboundFailure(`The answer has the status ${status}`);
    const type = answer.header('content-type');
    return new Response(bytes === 0 ? null : Buffer.concat(pieces), {
      status,
      headers: type === undefined ? {} : { 'content-type': type },
    });
  }

  return {
    async fetch(url, given) {
      const signal = AbortSignal.timeout(deadlineMs);
      try {
        return await request(url, given, signal);
      } catch (error) {
        throw signal.aborted ? new OutboundFailure(`Timed out after ${deadlineMs / 1000} s`) : error;
      }
    },
    [Symbol.asyncDispose]: () => streams[Symbol.asyncDispose](),
  };
}
