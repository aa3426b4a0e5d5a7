import { scimError } from '../errors.ts';
import { isObject, propertyOf, textOf } from '../resources/json.ts';

/** The ids of a list of members, each once: `{value}` with whatever else (Entra sends `$ref: null`), or the id alone. */
export function memberIds(value: unknown): string[] {
  const list = value === undefined || value === null ? [] : [value].flat();
  return [...new Set(list.map(memberId))];
}

function memberId(member: unknown): string {
  const id = textOf(isObject(member) ? propertyOf(member, 'value') : member, 'members.value');
  if (id === undefined) throw scimError(400, 'Each of members must have a value', 'invalidValue');
  return id;
}
