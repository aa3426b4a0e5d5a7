import type { Attribute } from '../resources/attributes.ts';
import { isObject, type JsonObject } from '../resources/json.ts';
import type { Target } from './path.ts';
import { type Step, stepsOf } from './steps.ts';
import { readPart, readParts } from './value.ts';
import { addValues, changeValues, removeValues, replaceValues, requireMaxValues } from './values.ts';

/**
 * Returns a user as changed by a PATCH (RFC 7644, 3.5.2), without modifying the given one. Beyond the RFC: a replace
 * without a match adds (Entra); a single value may be sent as a list of one. Throws 400 with a `scimType`.
 */
export function applyPatch(kind: 'User', resource: JsonObject, body: unknown): JsonObject {
  const result = structuredClone(resource);
  for (const step of stepsOf(kind, body)) apply(result, step);
  return result;
}

function apply(result: JsonObject, { op, target, value }: Step): void {
  const { attribute, sub } = target;
  const { name } = attribute;
  if (attribute.multiValued) {
    const values = Array.isArray(result[name]) ? result[name].filter(isObject) : [];
    const changed = changedValues(values, target, op, value);
    requireMaxValues(attribute, changed);
    setAttribute(result, name, nonEmpty(changed));
  } else if (attribute.type !== 'complex') {
    setAttribute(result, name, op === 'remove' ? undefined : readPart(attribute, name, value));
  } else {
    setAttribute(
      result,
      name,
      changedParts(attribute, sub, isObject(result[name]) ? { ...result[name] } : {}, op, value),
    );
  }
}

function changedValues(values: readonly JsonObject[], target: Target, op: Step['op'], value: unknown) {
  const { attribute, filter, sub } = target;
  if (op === 'remove') return removeValues(values, target, value);
  if (filter || sub) return changeValues(values, target, value);
  return op === 'add' ? addValues(attribute, values, value) : replaceValues(attribute, value);
}

/** Sets the given parts and keeps the others, also for replace (RFC 7644, 3.5.2.3). */
function changedParts(
  attribute: Attribute,
  sub: Attribute | undefined,
  parts: JsonObject,
  op: Step['op'],
  value: unknown,
): JsonObject | undefined {
  if (op === 'remove' && !sub) return undefined;
  if (sub)
    setAttribute(parts, sub.name, op === 'remove' ? undefined : readPart(sub, `${attribute.name}.${sub.name}`, value));
  else for (const [name, part] of Object.entries(readParts(attribute, value))) setAttribute(parts, name, part);
  return Object.keys(parts).length > 0 ? parts : undefined;
}

function setAttribute(object: JsonObject, name: string, value: unknown): void {
  if (value === undefined) delete object[name];
  else object[name] = value;
}

const nonEmpty = (values: JsonObject[]): JsonObject[] | undefined => (values.length > 0 ? values : undefined);
