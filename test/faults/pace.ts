/** Numbers from 0 to 1 that are the same at every run. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1664525 + 1013904223) % 4294967296;
    return state / 4294967296;
  };
}

export const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
