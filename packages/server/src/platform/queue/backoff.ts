/** How long to wait after the given number of failed attempts: 1 s, doubled each time, at most 5 min. */
export const backoffMs = (attempts: number): number => Math.min(1000 * 2 ** (attempts - 1), 300_000);
