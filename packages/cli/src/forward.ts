import type { Fetch } from '@moonbase/client/request';

/** What a delivery is to be sent as. */
export interface Forwarded {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** How it went: `status` 0 and `error` where no answer came. */
export interface Outcome {
  readonly status: number;
  readonly error?: string;
  readonly durationMs: number;
}

interface Options {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly fetch: Fetch;
}

/** Posts a delivery to a URL of this machine, once, and waits for the end of the answer. */
export async function forward(url: string, { headers, body }: Forwarded, options: Options): Promise<Outcome> {
  const { timeoutMs, fetch } = options;
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(timeoutMs)]);
  const startedAt = performance.now();
  const durationMs = () => Math.round(performance.now() - startedAt);
  try {
    const answer = await fetch(url, { method: 'POST', headers: { ...headers }, body, redirect: 'manual', signal });
    await passOver(answer);
    return { status: answer.status, durationMs: durationMs() };
  } catch (error) {
    return { status: 0, error: reasonOf(error, timeoutMs), durationMs: durationMs() };
  }
}

/** To the end, so that the connection is used again. */
async function passOver({ body }: Response): Promise<void> {
  const reader = body?.getReader();
  while (reader && !(await reader.read()).done);
}

function reasonOf(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return 'it failed';
  if (error.name === 'TimeoutError') return `no answer within ${timeoutMs / 1000} s`;
  const { code, message } = (error.cause ?? error) as { code?: unknown; message?: string };
  return (typeof code === 'string' ? code : (message ?? error.message)).replace(/\p{Cc}/gu, ' ').slice(0, 200);
}
