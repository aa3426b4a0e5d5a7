import type { Attribute } from './attributes.ts';
import { scimError } from './errors.ts';
import { isObject, type JsonObject } from './json.ts';
import { type Operation, readOperations } from './patch-operations.ts';
import { type Target, targetOf } from './patch-path.ts';
import { readPart, readParts } from './patch-value.ts';
import { addValues, changeValues, removeValues, replaceValues } from './patch-values.ts';

/**
 * A user as it would be after a PATCH (RFC 7644, 3.5.2); what was given stays as it is. Beyond the RFC: without a path
 * the keys of the value may be paths (Entra), and what this service does not keep or change is passed over; a replace
 * that finds nothing adds (Entra); a single value may come as a list of one.
 */
export function applyPatch(kind: 'User', resource: JsonObject, body: unknown): JsonObject {
  const result = structuredClone(resource);
  for (const operation of readOperations(body)) {
    const target = operation.path === undefined ? 'resource' : targetOf(kind, operation.path);
    if (target === undefined) throw noSuchPath(operation.path);
    if (target === 'not-kept') continue;
    if (target === 'resource') applyToAll(kind, result, operation);
    else apply(result, changeable(target, operation), operation);
  }
  return result;
}

const noSuchPath = (path = '') => scimError(400, `\`path\` ${path.slice(0, 100)} leads to no attribute`, 'invalidPath');

function changeable(target: Target, { op }: Operation): Target {
  const { attribute, sub = attribute } = target;
  if ([attribute, sub].some(({ mutability }) => mutability === 'readOnly'))
    throw scimError(400, `${attribute.name} cannot be changed`, 'mutability');
  if (op === 'remove' && sub.required) throw scimError(400, `${attribute.name} cannot be removed`, 'mutability');
  return target;
}

/** Without a path: each key of the value is one. */
function applyToAll(kind: 'User', result: JsonObject, { op, value }: Operation): void {
  if (op === 'remove') throw scimError(400, 'A resource is removed by DELETE', 'noTarget');
  if (!isObject(value)) throw scimError(400, 'Without a `path`, `value` must be an object', 'invalidValue');
  for (const [path, part] of Object.entries(value)) {
    const target = targetOf(kind, path);
    if (target === 'resource') applyToAll(kind, result, { op, path, value: part });
    else if (target !== undefined && target !== 'not-kept' && target.attribute.mutability !== 'readOnly')
      apply(result, target, { op, path, value: part });
  }
}

function apply(result: JsonObject, target: Target, { op, value }: Operation): void {
  const { attribute, sub } = target;
  const { name } = attribute;
  if (attribute.multiValued) {
    const values = Array.isArray(result[name]) ? (result[name] as JsonObject[]) : [];
    set(result, name, nonEmpty(changedValues(values, target, op, value)));
  } else if (attribute.type !== 'complex') {
    set(result, name, op === 'remove' ? undefined : readPart(attribute, name, value));
  } else {
    set(result, name, changedParts(attribute, sub, isObject(result[name]) ? { ...result[name] } : {}, op, value));
  }
}

function changedValues(values: readonly JsonObject[], target: Target, op: Operation['op'], value: unknown) {
  const { attribute, filter, sub } = target;
  if (op === 'remove') return removeValues(values, target, value);
  if (filter || sub) return changeValues(values, target, value);
  return op === 'add' ? addValues(attribute, values, value) : replaceValues(attribute, value);
}

/** The parts that are given are set, the others stay, with replace as well (RFC 7644, 3.5.2.3). */
function changedParts(
  attribute: Attribute,
  sub: Attribute | undefined,
  parts: JsonObject,
  op: Operation['op'],
  value: unknown,
): JsonObject | undefined {
  if (op === 'remove' && !sub) return undefined;
  if (sub) set(parts, sub.name, op === 'remove' ? undefined : readPart(sub, `${attribute.name}.${sub.name}`, value));
  else for (const [name, part] of Object.entries(readParts(attribute, value))) set(parts, name, part);
  return Object.keys(parts).length > 0 ? parts : undefined;
}

function set(object: JsonObject, name: string, value: unknown): void {
  if (value === undefined) delete object[name];
  else object[name] = value;
}

const nonEmpty = (values: JsonObject[]): JsonObject[] | undefined => (values.length > 0 ? values : undefined);
