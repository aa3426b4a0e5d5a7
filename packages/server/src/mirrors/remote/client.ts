import type { GuardedStreams, StreamedAnswer } from '../../platform/outbound/guarded-streams.ts';
import { plainText, RemoteFault } from '../../platform/outbound/remote/fault.ts';
import { type Pace, withPace } from '../../platform/outbound/remote/pace.ts';
import { createTransport, type Transport } from '../../platform/outbound/remote/transport.ts';
import { basicAuthorization, type RemoteAddress } from './address.ts';
import { fetchArguments, packIn, type Wanted } from './pack.ts';
import { type Capabilities, encodeCommand, readCapabilities, readerOf } from './protocol.ts';
import { type RemoteRefs, readRefs, refsArguments } from './refs.ts';
import { requireOk } from './require-ok.ts';

export interface RemoteLimits {
  readonly pace: Pace;
  readonly prepareMs: number;
}

const MEBIBYTE = 1024 * 1024;
const LIMITS: RemoteLimits = {
  pace: { minBytes: MEBIBYTE / 2, windowMs: 60_000 },
  prepareMs: 15 * 60_000,
};
const MAX_LIST_BYTES = 4 * MEBIBYTE;
const MAX_CHATTER_BYTES = 4 * MEBIBYTE;

const SERVICE = '/info/refs?service=git-upload-pack';
const PROTOCOL = { 'git-protocol': 'version=2' };

/** A git repository elsewhere. */
export interface Remote {
  readonly transport: Transport;
  readonly pace: Pace;
  /** Returns the branches and tags. */
  listRefs(signal: AbortSignal): Promise<RemoteRefs>;
  /** Yields a pack with the wanted objects, without what the hub has. To be called after `listRefs`. */
  fetchPack(wanted: Wanted, signal: AbortSignal): AsyncIterable<Buffer>;
}

interface Dependencies {
  readonly streams: GuardedStreams;
  readonly agent: string;
  readonly limits?: Partial<RemoteLimits> | undefined;
}

/** A remote that has answered: where it is after redirects, and what it supports. */
interface Found {
  readonly base: string;
  readonly capabilities: Capabilities;
}

export type OpenRemote = ReturnType<typeof createRemotes>;

/** Creates the function that opens remotes, which speak version 2 of the protocol of git over HTTP. */
export function createRemotes({ streams, agent, limits }: Dependencies) {
  const { pace, prepareMs } = { ...LIMITS, ...limits };

  return (address: RemoteAddress): Remote => {
    const transport = createTransport(streams, { url: address.url, authorization: basicAuthorization(address) }, agent);
    const hasToken = address.token !== undefined;
    let found: Promise<Found> | undefined;

    /** Asks the remote what it supports, and learns where it is. */
    async function find(signal: AbortSignal): Promise<Found> {
      const first = new URL(address.url + SERVICE);
      const { answer, target } = await transport.get(first, { headers: PROTOCOL, signal });
      await using _ = answer;
      requireOk(answer, hasToken);
      requireType(answer, 'advertisement');
      const base = target.href.endsWith(SERVICE) ? target.href.slice(0, -SERVICE.length) : undefined;
      if (base === undefined) throw new RemoteFault('The remote redirects to something that is not a git repository');
      const capabilities = await readCapabilities(readerOf(withPace(answer.body, pace), MAX_LIST_BYTES));
      return { base, capabilities };
    }

    /** Sends a command of version 2; returns the response, to be disposed of. */
    async function command(name: string, args: readonly string[], signal: AbortSignal): Promise<StreamedAnswer> {
      found ??= find(signal);
      const { base, capabilities } = await found;
      const answer = await transport.send(new URL(`${base}/git-upload-pack`), {
        method: 'POST',
        headers: { ...PROTOCOL, 'content-type': 'application/x-git-upload-pack-request' },
        body: encodeCommand(name, capabilities, agent, args),
        signal,
      });
      try {
        requireOk(answer, hasToken);
        requireType(answer, 'result');
        return answer;
      } catch (error) {
        await answer[Symbol.asyncDispose]();
        throw error;
      }
    }

    return {
      ...{ transport, pace },

      async listRefs(signal) {
        await using answer = await command('ls-refs', refsArguments(), signal);
        return await readRefs(readerOf(withPace(answer.body, pace), MAX_LIST_BYTES));
      },

      async *fetchPack(wanted, signal) {
        await using answer = await command('fetch', fetchArguments(wanted), signal);
        const lines = readerOf(answer.body, Number.POSITIVE_INFINITY);
        yield* withPace(packIn(lines, { maxChatterBytes: MAX_CHATTER_BYTES, prepareMs }), pace);
      },
    };
  };
}

/** Throws a `RemoteFault` unless a response has the media type of git: web pages and old servers have others. */
function requireType(answer: StreamedAnswer, kind: 'advertisement' | 'result'): void {
  const type = answer.header('content-type')?.split(';', 1)[0]?.trim() ?? 'nothing';
  if (type !== `application/x-git-upload-pack-${kind}`)
    throw new RemoteFault(`The address is not that of a git repository: it answers with ${plainText(type)}`);
}
