import { useQuery } from '@tanstack/react-query';

export interface Counts {
  readonly unread: number;
  readonly all: number;
}

export const COUNTS_KEY = ['notifications', 'counts'];

/** Returns the number of unread notifications from the stream or the last page. */
export function useUnread(): number {
  const { data } = useQuery<Counts>({ queryKey: COUNTS_KEY, enabled: false });
  return data?.unread ?? 0;
}
