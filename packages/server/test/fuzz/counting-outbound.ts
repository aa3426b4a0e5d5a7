import type { Outbound } from '../../src/platform/outbound/outbound.ts';

/** An outbound that reaches nobody: returns 200, every fourth time 500, and counts. */
export function countingOutbound(): Outbound & { sent(): number } {
  let count = 0;
  return {
    sent: () => count,
    async post() {
      count += 1;
      const status = count % 4 === 0 ? 500 : 200;
      return { kind: 'answered', status, headers: { 'content-type': 'text/plain' }, body: 'thank you', durationMs: 1 };
    },
    async [Symbol.asyncDispose]() {},
  };
}
