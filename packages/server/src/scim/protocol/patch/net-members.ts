import type { MemberChange } from './group-changes.ts';

/** The net effect of successive changes of members. */
export interface NetMembers {
  /** All users to be added, including those whom a later step removes. */
  readonly named: readonly string[];
  readonly added: readonly string[];
  /** The removed users; undefined: everybody except `added`. */
  readonly removed: readonly string[] | undefined;
}

/** Folds steps into one change, so that the database cost of a PATCH does not grow with its operations. */
export function netMembers(steps: readonly MemberChange[]): NetMembers {
  const named = new Set<string>();
  const stays = new Map<string, boolean>();
  let replaced = false;
  for (const { op, ids } of steps) {
    if (op === 'replace') {
      stays.clear();
      replaced = true;
    }
    for (const id of ids) {
      stays.set(id, op !== 'remove');
      if (op !== 'remove') named.add(id);
    }
  }
  const idsThat = (stay: boolean) => [...stays].flatMap(([id, value]) => (value === stay ? [id] : []));
  return { named: [...named], added: idsThat(true), removed: replaced ? undefined : idsThat(false) };
}
