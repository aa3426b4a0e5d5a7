import type { Fetch } from '@moonbase/client/request';

/** The headers and the body of a delivery. */
export interface ForwardedDelivery {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The outcome of a delivery; without a response, `status` is 0 and `error` gives the reason. */
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

/** Posts a delivery to a local URL once, and reads the response to its end. */
export async function forward(url: string, { headers, body }: ForwardedDelivery, options: Options): Promise<Outcome> {
  const { timeoutMs, fetch } = options;
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(timeoutMs)]);
  const startedAt = performance.now();
  const durationMs = () => Math.round(performance.now() - startedAt);
  try {
    const answer = await fetch(url, { method: 'POST', headers: { ...headers }, body, redirect: 'manual', signal });
    await readToEnd(answer);
    return { status: answer.status, durationMs: durationMs() };
  } catch (error) {
    return { status: 0, error: reasonOf(error, timeoutMs), durationMs: durationMs() };
  }
}

/** Reads a body to its end, so that its connection can be reused. */
async function readToEnd({ body }: Response): Promise<void> {
  const reader = body?.getReader();
  while (reader && !(await reader.read()).done);
}

function reasonOf(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return 'unknown error';
  if (error.name === 'TimeoutError') return `no response within ${timeoutMs / 1000} s`;
  const cause = error.cause instanceof Error ? error.cause : error;
  const reason = 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message;
  return reason.replace(/\p{Cc}/gu, ' ').slice(0, 200);
}
