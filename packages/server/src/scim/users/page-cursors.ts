import { LRUCache } from 'lru-cache';
import type { Clock } from '../../platform/clock.ts';
import type { Place } from './list.ts';

/** Where a page of a list ended, and how many there were in all. */
export interface PageCursor {
  readonly after: Place;
  readonly total: number;
}

const MAX_CURSORS = 1000;
const KEPT_MS = 10 * 60 * 1000;

export type PageCursors = ReturnType<typeof createPageCursors>;

/**
 * Remembers where pages ended, so that the next one, which SCIM asks for by a number, begins there instead of counting
 * to it, and passes over nobody when users are deleted meanwhile. In memory: what is forgotten is counted.
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
