import type { Outbound } from '../src/platform/outbound/outbound.ts';

/** Answers every delivery with 200; nothing leaves the process. */
export const HEARS: Outbound = {
  post: async () => ({ kind: 'answered', status: 200, headers: {}, body: '', durationMs: 1 }),
  [Symbol.asyncDispose]: async () => {},
};
