import { useState } from 'react';

/**
 * Holds values that the user has just chosen, which are shown until the hub responds. A controlled field that waited
 * for its query would first jump back to the old value.
 */
export function useChosen<T extends object>() {
  const [chosen, setChosen] = useState<Partial<T>>({});
  return {
    chosen,
    choose: (change: Partial<T>) => setChosen((before) => ({ ...before, ...change })),
    forget: () => setChosen({}),
  };
}

/** Returns a text if it is one of the values; undefined otherwise. */
export const oneOf = <T extends string>(values: readonly T[], text: string | null | undefined): T | undefined =>
  values.find((value) => value === text);
