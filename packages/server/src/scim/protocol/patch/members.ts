import { scimError } from '../errors.ts';
import { isObject, propertyOf, textOf } from '../resources/json.ts';

/**
 * Returns the ids in a list of members without duplicates: `{value}` with any other keys (Entra sends `$ref: null`), or
 * bare ids.
 */
export function memberIds(value: unknown): string[] {
  const list = value === undefined || value === null ? [] : [value].flat();
  return [...new Set(list.map(memberId))];
}

function memberId(member: unknown): string {
  const id = textOf(isObject(member) ? propertyOf(member, 'value') : member, 'members.value');
  if (id === undefined) throw scimError(400, 'Each entry of members must have a value', 'invalidValue');
  return id;
}
