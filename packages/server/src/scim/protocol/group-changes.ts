import { scimError } from './errors.ts';
import type { Filter } from './filter.ts';
import { isObject, propertyOf, textOf } from './json.ts';
import { memberIds } from './members.ts';
import { type Operation, readOperations } from './patch-operations.ts';
import { type Target, targetOf } from './patch-path.ts';

/** A step of a change of members, by the ids of users. */
export interface MemberChange {
  readonly op: 'add' | 'remove' | 'replace';
  readonly ids: readonly string[];
}

export interface GroupChanges {
  readonly displayName?: string;
  readonly externalId?: string | null;
  /** In the order in which they happen. */
  readonly members: readonly MemberChange[];
}

type Changes = { displayName?: string; externalId?: string | null; members: MemberChange[] };

/** What a PATCH does to a group, whose members need not be known for it. The same tolerances as with users. */
export function groupChanges(body: unknown): GroupChanges {
  const changes: Changes = { members: [] };
  for (const operation of readOperations(body)) {
    const target = operation.path === undefined ? 'resource' : targetOf('Group', operation.path);
    if (target === undefined)
      throw scimError(400, `\`path\` ${operation.path?.slice(0, 100)} leads to no attribute`, 'invalidPath');
    if (target === 'not-kept') continue;
    if (target === 'resource') changeAll(changes, operation);
    else {
      if (target.attribute.mutability === 'readOnly')
        throw scimError(400, `${target.attribute.name} cannot be changed`, 'mutability');
      change(changes, target, operation);
    }
  }
  return changes;
}

function changeAll(changes: Changes, { op, value }: Operation): void {
  if (op === 'remove') throw scimError(400, 'A resource is removed by DELETE', 'noTarget');
  if (!isObject(value)) throw scimError(400, 'Without a `path`, `value` must be an object', 'invalidValue');
  for (const [path, part] of Object.entries(value)) {
    const target = targetOf('Group', path);
    if (target === 'resource') changeAll(changes, { op, path, value: part });
    else if (target !== undefined && target !== 'not-kept') change(changes, target, { op, path, value: part });
  }
}

function change(changes: Changes, target: Target, operation: Operation): void {
  const { op, value } = operation;
  switch (target.attribute.name) {
    case 'displayName':
      if (op === 'remove') throw scimError(400, 'displayName cannot be removed', 'mutability');
      changes.displayName = textOf(value, 'displayName') ?? missing('displayName');
      return;
    case 'externalId':
      changes.externalId = op === 'remove' ? null : (textOf(value, 'externalId') ?? null);
      return;
    case 'members':
      changes.members.push(...memberChanges(target, operation));
      return;
  }
}

function memberChanges({ filter }: Target, { op, value }: Operation): MemberChange[] {
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

/** The ids that a filter names: `value eq "…"`, several of them with `or`. */
function idsIn(filter: Filter): string[] {
  if (filter.op === 'or') return filter.filters.flatMap(idsIn);
  if (filter.op === 'eq' && filter.path === 'members.value') return [String(filter.value)];
  throw scimError(400, 'Members can be named by `value eq "…"` only', 'invalidPath');
}

function missing(name: string): never {
  throw scimError(400, `${name} must have a value`, 'invalidValue');
}
