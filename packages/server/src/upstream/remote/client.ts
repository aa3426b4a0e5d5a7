import { badRequest } from '../../platform/http/errors.ts';
import { OutboundFailure } from '../../platform/outbound/failure.ts';
import type { GuardedStreams, StreamedAnswer } from '../../platform/outbound/guarded-streams.ts';
import { plainText, RemoteFault } from '../../platform/outbound/remote/fault.ts';
import { createTransport } from '../../platform/outbound/remote/transport.ts';
import { wholeBody } from '../../platform/outbound/remote/whole-body.ts';

/** An answer of the upstream's API, whatever its status. */
export interface UpstreamAnswer {
  readonly status: number;
  /** The header `X-Error-Code`. */
  readonly code: string | undefined;
  /** The parsed body; undefined if it is not JSON. */
  readonly json: unknown;
  /** The cursor of the next page. */
  readonly next: string | undefined;
}

interface Form {
  readonly paths: readonly string[];
  readonly expand?: boolean;
}

type Opens = Pick<GuardedStreams, 'open'>;

interface Dependencies {
  /** Questions to the address of the operator's setting, which may be private. */
  readonly questions: Opens;
  /** Files from there, on connections of their own: downloads keep nobody from asking. */
  readonly files: Opens;
  /** Files from other hosts that the upstream redirects to. */
  readonly others: Opens;
  readonly url: string;
  readonly token: string | undefined;
  readonly agent: string;
  /** The deadline for an answer of the API. */
  readonly answerMs: number;
  readonly maxAnswerBytes?: number;
}

const MAX_ANSWER_BYTES = 8 * 1024 * 1024;

export type UpstreamClient = ReturnType<typeof createUpstreamClient>;

/**
 * Creates the client of the upstream. It only reads, and sends nothing of a caller: no token, no cookie, no header. The
 * hub's own token goes to the origin of the setting alone. Throws a `RemoteFault` if there is no answer.
 */
export function createUpstreamClient({ questions, files, others, url, token, agent, ...limits }: Dependencies) {
  const { answerMs, maxAnswerBytes } = limits;
  const { origin } = new URL(url);
  const authorization = token === undefined ? undefined : `Bearer ${token}`;
  const transportOf = (own: Opens) => {
    const open: Opens['open'] = (target, request) =>
      (new URL(target).origin === origin ? own : others).open(target, request);
    return createTransport({ open }, { url, authorization }, agent);
  };
  const [transport, fileTransport] = [transportOf(questions), transportOf(files)];
  const limit = maxAnswerBytes ?? MAX_ANSWER_BYTES;

  async function read(answer: StreamedAnswer): Promise<UpstreamAnswer> {
    const bytes = await wholeBody(described(answer.body), limit, `Its answer is larger than ${limit} bytes`);
    const { status } = answer;
    const code = answer.header('x-error-code');
    return { status, code, json: jsonIn(bytes), next: cursorIn(answer.header('link'), url) };
  }

  /** Runs a call of the API within its deadline. Throws a `RemoteFault` for a fault of the other side, 400 for the caller's. */
  async function within(call: (signal: AbortSignal) => Promise<UpstreamAnswer>): Promise<UpstreamAnswer> {
    const signal = AbortSignal.timeout(answerMs);
    let answer: UpstreamAnswer;
    try {
      answer = await call(signal);
    } catch (error) {
      throw signal.aborted ? new RemoteFault(`It did not answer within ${answerMs / 1000} s`) : error;
    }
    const { status, code } = answer;
    if (status === 400) throw badRequest('The upstream hub does not accept this question');
    const isRefused = status === 401 && code !== 'RepoNotFound' && token !== undefined;
    if (isRefused) throw new RemoteFault('It refuses the token of this hub (401)');
    if (status === 429 || status >= 500) throw new RemoteFault(`It answered with the status ${status}`);
    return answer;
  }

  return {
    /** Asks the API; `path` begins with `/api/`. */
    get: (path: string): Promise<UpstreamAnswer> =>
      within(async (signal) => {
        const { answer, target } = await transport.get(new URL(url + path), { signal });
        await using opened = answer;
        if (target.origin !== origin) throw new RemoteFault('It redirects questions to another host');
        return await read(opened);
      }),

    /** Sends a form that asks about paths. */
    ask: (path: string, { paths, expand = false }: Form): Promise<UpstreamAnswer> =>
      within(async (signal) => {
        const form = new URLSearchParams({ expand: String(expand) });
        for (const path of paths) form.append('paths', path);
        const headers = { 'content-type': 'application/x-www-form-urlencoded' };
        const request = { method: 'POST', headers, body: form.toString(), signal } as const;
        await using answer = await transport.send(new URL(url + path), request);
        return await read(answer);
      }),

    /** Opens the bytes of a file, wherever the upstream keeps it. Throws a `RemoteFault` unless all of it comes. */
    async open(path: string, { size, signal }: { readonly size: number; readonly signal: AbortSignal }) {
      const { answer } = await fileTransport.get(new URL(url + path), { signal });
      const length = answer.header('content-length');
      const fault =
        answer.status !== 200
          ? `It answered with the status ${answer.status}`
          : length !== undefined && Number(length) !== size
            ? `It announces ${plainText(length)} bytes of a file that has ${size}`
            : undefined;
      if (fault === undefined) return { ...answer, body: described(answer.body) };
      await answer[Symbol.asyncDispose]();
      throw new RemoteFault(fault);
    },
  };
}

/** Passes bytes on. Throws a `RemoteFault` if they break off. */
async function* described(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  try {
    yield* bytes;
  } catch (error) {
    throw error instanceof OutboundFailure ? new RemoteFault(error.message, { cause: error }) : error;
  }
}

function jsonIn(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Returns the cursor in a header `Link` with `rel="next"`. */
function cursorIn(link: string | undefined, base: string): string | undefined {
  const [, target] = /<([^>]{1,8000})>\s*;\s*rel="?next"?/.exec(link ?? '') ?? [];
  if (target === undefined) return undefined;
  try {
    return new URL(target, base).searchParams.get('cursor') ?? undefined;
  } catch {
    return undefined;
  }
}
