import { OutboundFailure } from '../failure.ts';
import type { GuardedStreams, StreamedAnswer } from '../guarded-streams.ts';
import { plainText, RemoteFault } from './fault.ts';

interface RemoteRequest {
  readonly method: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
  /** Whether the request needs no token, because its URL or its headers say who asks. */
  readonly isAuthenticated?: boolean;
  readonly signal: AbortSignal;
}

export type Transport = ReturnType<typeof createTransport>;

const MAX_REDIRECTS = 3;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const IN_THE_CLEAR =
  'Plain http is only for addresses that the operator of this hub allows (MOONBASE_OUTBOUND_ALLOW); use https';

/** A remote with the header by which the hub identifies itself there. */
interface Identity {
  readonly url: string;
  readonly authorization: string | undefined;
}

/** Sends requests to a remote. The authorization goes to the origin of the remote's URL and nowhere else. */
export function createTransport(
  streams: Pick<GuardedStreams, 'open'>,
  { url, authorization }: Identity,
  agent: string,
) {
  const { origin } = new URL(url);

  async function send(target: URL, request: RemoteRequest): Promise<StreamedAnswer> {
    const { headers = {}, isAuthenticated = false, ...rest } = request;
    const identity = authorization && !isAuthenticated && target.origin === origin ? { authorization } : {};
    const answer = await streams
      .open(target.href, { ...rest, headers: { 'user-agent': agent, ...identity, ...headers } })
      .catch((error: unknown) => {
        throw describe(error, target);
      });
    const encoding = answer.header('content-encoding') ?? 'identity';
    if (encoding === 'identity') return answer;
    await answer[Symbol.asyncDispose]();
    throw new RemoteFault(`The remote compresses its answer (${plainText(encoding)}), which the hub did not ask for`);
  }

  return {
    send,

    /** Sends a GET request and follows redirects. `headers` are sent to the first origin alone. */
    async get(first: URL, { headers = {}, ...request }: Omit<RemoteRequest, 'method' | 'body'>) {
      let target = first;
      for (let hops = 0; ; hops++) {
        const own = target.origin === first.origin ? headers : {};
        const answer = await send(target, { ...request, method: 'GET', headers: own });
        if (!REDIRECTS.has(answer.status)) return { answer, target };
        await answer[Symbol.asyncDispose]();
        if (hops === MAX_REDIRECTS) throw new RemoteFault('The remote redirects too often');
        target = redirected(target, answer.header('location') ?? '');
      }
    },
  };
}

/** Returns the target of a redirect. Throws a `RemoteFault` if it is none that the hub follows. */
function redirected(from: URL, location: string): URL {
  const target = resolve(location, from);
  if (!target || !/^https?:$/.test(target.protocol)) throw new RemoteFault('The remote redirects to no web address');
  if (from.protocol === 'https:' && target.protocol === 'http:')
    throw new RemoteFault('The remote redirects from https to http, which is not followed');
  if (target.username !== '' || target.password !== '')
    throw new RemoteFault('The remote redirects to an address with credentials, which is not followed');
  return target;
}

/** Returns the URL that a reference leads to; undefined if it is malformed. */
export function resolve(reference: string, base: URL): URL | undefined {
  try {
    return new URL(reference, base);
  } catch {
    return undefined;
  }
}

/** Returns a failure to reach a remote as a fault of the remote; other errors unchanged. */
function describe(error: unknown, { protocol }: URL): unknown {
  if (!(error instanceof OutboundFailure)) return error;
  const isRefused = protocol === 'http:' && error.message.startsWith('Address not allowed');
  return new RemoteFault(isRefused ? IN_THE_CLEAR : error.message, { cause: error });
}
