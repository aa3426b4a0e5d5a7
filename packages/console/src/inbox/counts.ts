import { useQuery } from '@tanstack/react-query';

export interface Counts {
  readonly unread: number;
  readonly all: number;
}

export const COUNTS = ['notifications', 'counts'];

/** How many notifications are unread, as the stream or the last page said. */
export function useUnread(): number {
  const { data } = useQuery<Counts>({ queryKey: COUNTS, enabled: false });
  return data?.unread ?? 0;
}
