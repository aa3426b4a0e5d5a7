import type { HubDocument } from '@moonbase/contract/admin/hub-document';
import { MAX_SPACE_ENTRIES } from '@moonbase/contract/repositories/space-settings';
import { type EntryKind, spaceVolumesFault } from '../../spaces/index.ts';
import type { Check } from './check-account.ts';
import { repoKey } from './items.ts';

type HubRepo = HubDocument['repos'][number];

const KINDS = [
  ['variables', 'variable'],
  ['secrets', 'secret'],
] as const satisfies readonly (readonly [keyof HubRepo, EntryKind])[];

/** Checks what a document says about a Space beside its name, and updates what the Space has. */
export function checkSpace(check: Check, item: HubRepo, path: string): void {
  for (const list of ['variables', 'secrets', 'volumes'] as const)
    if (item[list] !== undefined && item.type !== 'space') check.fault(`${path}.${list}`, 'are for Spaces only');
  if (item.type !== 'space') return;
  checkEntries(check, item, path);
  checkVolumes(check, item, path);
}

function checkEntries({ state, fault }: Check, item: HubRepo, path: string): void {
  const entries = state.spaceEntries.get(repoKey(item)) ?? new Map<string, EntryKind>();
  state.spaceEntries.set(repoKey(item), entries);
  for (const [list, kind] of KINDS)
    for (const { key, state: wanted } of item[list] ?? [])
      if (wanted === 'absent' && entries.get(key) === kind) entries.delete(key);
  const given = new Set<string>();
  for (const [list, kind] of KINDS) {
    for (const [at, { key, value, state: wanted }] of (item[list] ?? []).entries()) {
      if (wanted === 'absent') continue;
      const before = entries.get(key);
      if (given.has(key)) fault(`${path}.${list}.${at}.key`, 'is given twice');
      else if (before !== undefined && before !== kind)
        fault(`${path}.${list}.${at}.key`, `is a ${before} of this Space; mark that one absent`);
      else if (value === undefined && before === undefined)
        fault(`${path}.${list}.${at}.value`, `is needed: the Space has no such ${kind} yet`);
      given.add(key);
      entries.set(key, kind);
    }
    if ([...entries.values()].filter((of) => of === kind).length > MAX_SPACE_ENTRIES)
      fault(`${path}.${list}`, `are more than ${MAX_SPACE_ENTRIES}, with those that the Space has`);
  }
}

function checkVolumes({ state, fault }: Check, item: HubRepo, path: string): void {
  const { volumes = [] } = item;
  const wrong = spaceVolumesFault(volumes);
  if (wrong) {
    fault(`${path}.${wrong.path}`, wrong.message);
    return;
  }
  if (volumes.length > 0 && state.staticSpaces.has(repoKey(item)))
    fault(`${path}.volumes`, 'are not for Spaces with the SDK static');
  for (const [at, { type, source }] of volumes.entries())
    if (!state.volumeSources.has(repoKey({ type, name: source })))
      fault(`${path}.volumes.${at}.source`, `there is no ${type} ${source}`);
}
