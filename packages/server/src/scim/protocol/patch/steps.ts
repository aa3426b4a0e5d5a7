import { scimError } from '../errors.ts';
import type { ResourceKind } from '../resources/attributes.ts';
import { isObject } from '../resources/json.ts';
import { type Operation, readOperations } from './operations.ts';
import { type Target, targetOf } from './path.ts';

/** A change of one attribute. */
export interface Step {
  readonly op: Operation['op'];
  readonly target: Target;
  readonly value: unknown;
}

/**
 * The maximum number of attribute changes in a PATCH. Providers change group members in batches of up to 1,000, some
 * with one operation per member; a user has fewer than 20 attributes.
 */
const MAX_STEPS = { User: 100, Group: 2_000 } as const;

/**
 * Returns the steps of a PATCH, one per attribute (RFC 7644, 3.5.2). Beyond the RFC: without a path, the keys of the
 * value may be paths (Entra). Attributes that are not stored are ignored and, without a path, read-only ones as well
 * (Okta sends the id).
 */
export function stepsOf(kind: ResourceKind, body: unknown): Step[] {
  const operations = readOperations(body);
  requireFewSteps(kind, operations);
  const steps = operations.flatMap((operation): Step[] => {
    const { op, path, value } = operation;
    const target = path === undefined ? 'resource' : targetOf(kind, path);
    if (target === undefined) throw scimError(400, `\`path\` ${path?.slice(0, 100)} names no attribute`, 'invalidPath');
    if (target === 'not-kept') return [];
    if (target === 'resource') return stepsOfAll(kind, operation);
    requireChangeable(target, op);
    return [{ op, target, value }];
  });
  requireFewSteps(kind, steps);
  return steps;
}

function requireFewSteps(kind: ResourceKind, steps: readonly unknown[]): void {
  if (steps.length > MAX_STEPS[kind])
    throw scimError(400, `A PATCH must not have more than ${MAX_STEPS[kind]} operations`, 'invalidValue');
}

function requireChangeable({ attribute, sub = attribute }: Target, op: Operation['op']): void {
  if ([attribute, sub].some(({ mutability }) => mutability === 'readOnly'))
    throw scimError(400, `${attribute.name} cannot be changed`, 'mutability');
  // A value of a multi-valued attribute is removed together with its required part.
  if (op === 'remove' && sub.required && !attribute.multiValued)
    throw scimError(400, `${attribute.name} cannot be removed`, 'mutability');
}

/** Returns the steps of an operation without a path; `nested` is set for the value below the name of the schema. */
function stepsOfAll(kind: ResourceKind, { op, value }: Operation, nested = false): Step[] {
  if (op === 'remove') throw scimError(400, 'Use DELETE to remove a resource', 'noTarget');
  if (!isObject(value)) throw scimError(400, 'Without a `path`, `value` must be an object', 'invalidValue');
  return Object.entries(value).flatMap(([path, part]): Step[] => {
    const target = targetOf(kind, path);
    if (target === 'resource') return nested ? [] : stepsOfAll(kind, { op, path, value: part }, true);
    if (target === undefined || target === 'not-kept' || target.attribute.mutability === 'readOnly') return [];
    return [{ op, target, value: part }];
  });
}
