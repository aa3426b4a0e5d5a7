import { scimError } from '../errors.ts';
import type { Filter } from '../filter/filter.ts';
import { isObject, propertyOf, textOf } from '../resources/json.ts';
import { memberIds } from './members.ts';
import { type Step, stepsOf } from './steps.ts';

/** A change of members, by user ids. */
export interface MemberChange {
  readonly op: 'add' | 'remove' | 'replace';
  readonly ids: readonly string[];
}

export interface GroupChanges {
  readonly displayName?: string;
  readonly externalId?: string | null;
  /** In the order in which they apply. */
  readonly members: readonly MemberChange[];
}

type Steps = { op: MemberChange['op']; ids: string[] }[];
type Changes = { displayName?: string; externalId?: string | null; members: Steps };

/** Parses a PATCH of a group, without knowing its members; as tolerant as for users. */
export function groupChanges(body: unknown): GroupChanges {
  const changes: Changes = { members: [] };
  for (const step of stepsOf('Group', body)) change(changes, step);
  return changes;
}

function change(changes: Changes, step: Step): void {
  const { op, target, value } = step;
  switch (target.attribute.name) {
    case 'displayName':
      changes.displayName = textOf(value, 'displayName') ?? missing('displayName');
      return;
    case 'externalId':
      changes.externalId = op === 'remove' ? null : (textOf(value, 'externalId') ?? null);
      return;
    case 'members':
      for (const next of memberChanges(step)) follow(changes.members, next);
      return;
  }
}

/** Merges successive operations of the same kind, because some providers send one operation per member. */
function follow(steps: Steps, next: MemberChange): void {
  const last = steps.at(-1);
  if (last?.op !== next.op || next.op === 'replace') steps.push({ ...next, ids: [...next.ids] });
  else last.ids.push(...next.ids);
}

function memberChanges({ op, target: { filter, sub }, value }: Step): MemberChange[] {
  if (sub && sub.name !== 'value') throw scimError(400, `members.${sub.name} cannot be changed`, 'mutability');
  const found = filter && idsIn(filter);
  if (op === 'remove') {
    if (found) return [{ op, ids: found }];
    return [value === undefined || value === null ? { op: 'replace', ids: [] } : { op, ids: memberIds(value) }];
  }
  if (!found) return [{ op, ids: memberIds(value) }];
  const ids = isObject(value) && propertyOf(value, 'value') === undefined ? found : memberIds(value);
  return op === 'add'
    ? [{ op, ids }]
    : [
        { op: 'remove', ids: found },
        { op: 'add', ids },
      ];
}

/** Returns the ids in a filter: `value eq "…"`, possibly joined by `or`. */
function idsIn(filter: Filter): string[] {
  if (filter.op === 'or') return filter.filters.flatMap(idsIn);
  if (filter.op === 'eq' && filter.path === 'members.value') return [String(filter.value)];
  throw scimError(400, 'Members can be selected only by `value eq "…"`', 'invalidPath');
}

function missing(name: string): never {
  throw scimError(400, `${name} must have a value`, 'invalidValue');
}
