import type { KeptPack } from './pack-store.ts';

/** What a folder lacks, and what it has in vain, compared with the rows of its repository. */
export interface PackPlan {
  readonly missing: readonly KeptPack[];
  /** Packs whose objects are in the folder already, in the packs that they replaced. */
  readonly covered: readonly KeptPack[];
  /** Packs in the folder whose objects are also in another one there. */
  readonly superseded: readonly string[];
  /** Packs in the folder without a row. */
  readonly unknown: readonly string[];
}

export function planPacks(rows: readonly KeptPack[], local: ReadonlySet<string>): PackPlan {
  const byName = new Map(rows.map((row) => [row.name, row]));
  const replacedBy = new Map<string, KeptPack[]>();
  for (const row of rows) {
    if (row.replacedBy === null) continue;
    const others = replacedBy.get(row.replacedBy);
    if (others) others.push(row);
    else replacedBy.set(row.replacedBy, [row]);
  }

  /** Returns whether all objects of a pack are in the folder. */
  const isHere = (pack: KeptPack): boolean => {
    if (local.has(pack.name)) return true;
    const replaced = replacedBy.get(pack.name) ?? [];
    // Rows of replaced packs are deleted one by one.
    return pack.replaces > 0 && replaced.length === pack.replaces && replaced.every(isHere);
  };

  const inUse = rows.filter((row) => row.replacedBy === null);
  const absent = inUse.filter(({ name }) => !local.has(name));
  const isSuperseded = (name: string): boolean => {
    const by = byName.get(name)?.replacedBy ?? null;
    return by !== null && (local.has(by) || isSuperseded(by));
  };
  return {
    missing: absent.filter((pack) => !isHere(pack)),
    covered: absent.filter(isHere),
    superseded: [...local].filter(isSuperseded),
    unknown: [...local].filter((name) => !byName.has(name)),
  };
}
