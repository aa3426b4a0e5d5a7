import type { Ids } from '../platform/ids.ts';
import type { PaperAuthor } from './store.ts';

/** An author in a hub document. Without a user, the entry keeps its current owner. */
export interface NamedAuthor {
  readonly name: string;
  readonly userId?: string | undefined;
}

/**
 * Returns the author entries that a paper should have, in order. Entries are matched by name, so that an entry keeps
 * its id, its owner and its claims when other authors are added, removed or reordered.
 */
export function authorsWanted(
  existing: readonly PaperAuthor[],
  named: readonly NamedAuthor[],
  { paperId, now, ids }: { paperId: string; now: number; ids: Ids },
): PaperAuthor[] {
  const left = [...existing];
  return named.map(({ name, userId }, position) => {
    const at = left.findIndex((entry) => entry.name === name);
    const [entry] = at < 0 ? [] : left.splice(at, 1);
    const assigned =
      userId === undefined || userId === entry?.user_id
        ? {}
        : { user_id: userId, status: 'admin_assigned' as const, status_changed_at: now };
    const fresh = { id: ids(), paper_id: paperId, name, user_id: null, status: null, status_changed_at: null };
    return { ...(entry ?? fresh), position, ...assigned };
  });
}

const COLUMNS = ['position', 'user_id', 'status', 'status_changed_at'] as const;

export const sameAuthor = (one: PaperAuthor, other: PaperAuthor): boolean =>
  COLUMNS.every((column) => one[column] === other[column]);
