/** Stands for an attempt without a response. */
export const NO_RESPONSE = -1;

/** Each step is a quarter of a doubling, so that the middle of a step is off by a tenth at most. */
const STEPS = 4;

/** Returns the step of a time on a logarithmic scale; times are counted by it. */
export const latencyStep = (ms: number): number => Math.round(STEPS * Math.log2(Math.max(0, ms) + 1));

const middleOf = (step: number): number => Math.round(2 ** (step / STEPS) - 1);

/** Returns the median of counted times in milliseconds, within a tenth; undefined where nothing is counted. */
export function medianOf(counts: readonly { readonly latency: number; readonly count: number }[]): number | undefined {
  const responses = counts.filter(({ latency }) => latency !== NO_RESPONSE).sort((a, b) => a.latency - b.latency);
  let left = responses.reduce((sum, { count }) => sum + count, 0) / 2;
  const median = responses.find(({ count }) => {
    left -= count;
    return left <= 0;
  });
  return median && middleOf(median.latency);
}
