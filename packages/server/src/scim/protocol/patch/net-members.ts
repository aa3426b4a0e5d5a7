import type { MemberChange } from './group-changes.ts';

/** What changes of members come to, one after the other. */
export interface NetMembers {
  /** Everybody who was to be added, also those whom a later step takes out again. */
  readonly named: readonly string[];
  readonly added: readonly string[];
  /** Those taken out; undefined: everybody but `added`. */
  readonly removed: readonly string[] | undefined;
}

/** Folds the steps into one change: what a PATCH costs the database does not grow with its operations. */
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
