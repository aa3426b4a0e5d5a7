/** Returns a generator of pseudo-random numbers from 0 to 1, the same in every run. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1664525 + 1013904223) % 4294967296;
    return state / 4294967296;
  };
}

export const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
