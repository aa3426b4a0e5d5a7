import { LRUCache } from 'lru-cache';
import type { Clock } from '../../platform/clock.ts';
import type { Place } from './user-list-store.ts';

/** The end of a page of a list, with the total. */
export interface PageCursor {
  readonly after: Place;
  readonly total: number;
}

const MAX_CURSORS = 1000;
const KEPT_MS = 10 * 60 * 1000;

export type PageCursors = ReturnType<typeof createPageCursors>;

/**
 * Remembers where pages ended, so that the next page, which SCIM requests by number, starts there instead of counting;
 * deletions in between then skip nobody. Kept in memory: forgotten positions are counted again.
 */
export function createPageCursors(clock: Clock) {
  const cursors = new LRUCache<string, PageCursor>({ max: MAX_CURSORS, ttl: KEPT_MS, ttlResolution: 0, perf: clock });
  const keyOf = (orgId: string, filter: string, startIndex: number) => `${orgId} ${startIndex} ${filter}`;

  return {
    find(orgId: string, filter: string, startIndex: number): PageCursor | undefined {
      return cursors.get(keyOf(orgId, filter, startIndex));
    },

    keep(orgId: string, filter: string, startIndex: number, cursor: PageCursor): void {
      cursors.set(keyOf(orgId, filter, startIndex), cursor);
    },
  };
}
