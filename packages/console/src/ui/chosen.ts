import { useState } from 'react';

/**
 * Holds the values that the user has just chosen, to be shown until the hub has answered. A controlled field that waits for
 * its query would jump back to the old value first.
 */
export function useChosen<T extends object>() {
  const [chosen, setChosen] = useState<Partial<T>>({});
  return {
    chosen,
    choose: (change: Partial<T>) => setChosen((before) => ({ ...before, ...change })),
    forget: () => setChosen({}),
  };
}

/** Returns the value of a field that offers these values; undefined for any other text. */
export const oneOf = <T extends string>(values: readonly T[], text: string | null | undefined): T | undefined =>
  values.find((value) => value === text);
