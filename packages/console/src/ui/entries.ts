import { keepPreviousData, type QueryKey, useQuery } from '@tanstack/react-query';
import { useState } from 'react';

const STEP = 50;
/** The maximum page size of the hub. */
const MAX_ENTRIES = 1000;

/** Fetches the beginning of a list in one request; `more` fetches a longer one, if there may be more. */
export function useEntries<T>(
  queryKey: QueryKey,
  list: (options: { readonly pageSize: number; readonly signal: AbortSignal }) => AsyncGenerator<T>,
) {
  const [count, setCount] = useState(STEP);
  const query = useQuery({
    queryKey: [...queryKey, count],
    queryFn: async ({ signal }) => {
      const entries: T[] = [];
      for await (const entry of list({ pageSize: Math.min(count, MAX_ENTRIES), signal })) {
        entries.push(entry);
        if (entries.length === count) break;
      }
      return entries;
    },
    placeholderData: keepPreviousData,
  });
  const more = query.data?.length === count ? () => setCount(4 * count) : undefined;
  return { query, more };
}
