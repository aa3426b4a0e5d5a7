import { scimError } from '../errors.ts';
import { findAttribute } from '../filter/attribute-path.ts';
import type { Attribute } from '../resources/attributes.ts';
import { booleanOf, isObject, type JsonObject, singleValue, textOf } from '../resources/json.ts';

/** Reads a single value in the type of its attribute; undefined if there is none. */
export function readPart(attribute: Attribute, path: string, value: unknown): unknown {
  const read = attribute.type === 'boolean' ? readBoolean(path, value) : textOf(value, path);
  if (read === undefined && attribute.required) throw scimError(400, `${path} must have a value`, 'invalidValue');
  return read;
}

function readBoolean(path: string, value: unknown): boolean {
  return booleanOf(value, path);
}

/** Reads the parts of a complex value; unknown parts are ignored. */
export function readParts(attribute: Attribute, value: unknown): JsonObject {
  const single = Array.isArray(value) && value.length <= 1 ? (value[0] ?? {}) : (value ?? {});
  if (!isObject(single)) throw scimError(400, `${attribute.name} must be an object`, 'invalidValue');
  const parts: JsonObject = {};
  for (const [key, part] of Object.entries(single)) {
    const sub = findAttribute(attribute.subAttributes ?? [], key);
    if (sub) parts[sub.name] = readPart(sub, `${attribute.name}.${sub.name}`, part);
  }
  return parts;
}

/** Reads one value of a multi-valued attribute: an object, or the bare value. */
export function readElement(attribute: Attribute, value: unknown): JsonObject {
  if (isObject(value)) return withoutUndefined(readParts(attribute, value));
  return withoutUndefined({ value: textOf(singleValue(value, attribute.name), attribute.name) });
}

export const withoutUndefined = (object: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
