import { useState } from 'react';

/**
 * What somebody has just chosen: shown at once in the place of what the hub says, until the hub has answered the last
 * choice. A controlled field that waits for a query to change would jump back first.
 */
export function useChosen<T extends object>() {
  const [chosen, setChosen] = useState<Partial<T>>({});
  return {
    chosen,
    choose: (change: Partial<T>) => setChosen((before) => ({ ...before, ...change })),
    forget: () => setChosen({}),
  };
}
