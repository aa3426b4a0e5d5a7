import { setImmediate } from 'node:timers/promises';
import type { HubDocument } from '@moonbase/contract/admin/hub-document';
import type { ReadExecutor } from '../../platform/database/transaction.ts';
import { findRepo } from '../../repositories/index.ts';
import { type EntryKind, entryKindsOf } from '../../spaces/index.ts';
import { hasSpaceSettings, itemsOf, repoKey, repoNameOf } from './items.ts';

/** What the Spaces of a document have, by `repoKey`. */
export interface SpacesState {
  /** Which keys are variables, and which are secrets. */
  readonly spaceEntries: Map<string, Map<string, EntryKind>>;
  /** Spaces that cannot have volumes. */
  readonly staticSpaces: ReadonlySet<string>;
  /** The repositories and buckets that exist, or are to be created, among those that volumes name. */
  readonly volumeSources: ReadonlySet<string>;
}

/** Reads what the variables, secrets and volumes of a document are checked against. */
export async function readSpaces(read: ReadExecutor, { repos }: HubDocument): Promise<SpacesState> {
  const { present } = itemsOf('repos', repos);
  const spaceEntries = new Map<string, Map<string, EntryKind>>();
  const staticSpaces = new Set<string>();
  const volumeSources = new Set(present.map(({ item }) => repoKey(item)));
  for (const { item } of present) {
    if (!hasSpaceSettings(item)) continue;
    const space = await findRepo(read, repoNameOf(item));
    if (space?.sdk === 'static') staticSpaces.add(repoKey(item));
    if (space) spaceEntries.set(repoKey(item), await entryKindsOf(read, space.id));
    for (const { type, source } of item.volumes ?? []) {
      const named = { type, name: source };
      if (!volumeSources.has(repoKey(named)) && (await findRepo(read, repoNameOf(named))))
        volumeSources.add(repoKey(named));
    }
    // SQLite is synchronous.
    await setImmediate();
  }
  return { spaceEntries, staticSpaces, volumeSources };
}
