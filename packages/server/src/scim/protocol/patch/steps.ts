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
 * So many changes of attributes a PATCH has at the most. Providers change the members of a group in batches of up to
 * 1,000, some with an operation for each; a user has fewer than 20 attributes.
 */
const MAX_STEPS = { User: 100, Group: 2_000 } as const;

/**
 * What a PATCH does, one attribute after the other (RFC 7644, 3.5.2). Beyond the RFC: without a path the keys of the
 * value may be paths (Entra); what this service does not keep is passed over, and so is, without a path, what nobody
 * may change (Okta sends the id).
 */
export function stepsOf(kind: ResourceKind, body: unknown): Step[] {
  const operations = readOperations(body);
  requireFewSteps(kind, operations);
  const steps = operations.flatMap((operation): Step[] => {
    const { op, path, value } = operation;
    const target = path === undefined ? 'resource' : targetOf(kind, path);
    if (target === undefined)
      throw scimError(400, `\`path\` ${path?.slice(0, 100)} leads to no attribute`, 'invalidPath');
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
  // A value of several goes as a whole with the part that it must have.
  if (op === 'remove' && sub.required && !attribute.multiValued)
    throw scimError(400, `${attribute.name} cannot be removed`, 'mutability');
}

/** Without a path; `nested`: below the name of the schema. */
function stepsOfAll(kind: ResourceKind, { op, value }: Operation, nested = false): Step[] {
  if (op === 'remove') throw scimError(400, 'A resource is removed by DELETE', 'noTarget');
  if (!isObject(value)) throw scimError(400, 'Without a `path`, `value` must be an object', 'invalidValue');
  return Object.entries(value).flatMap(([path, part]): Step[] => {
    const target = targetOf(kind, path);
    if (target === 'resource') return nested ? [] : stepsOfAll(kind, { op, path, value: part }, true);
    if (target === undefined || target === 'not-kept' || target.attribute.mutability === 'readOnly') return [];
    return [{ op, target, value: part }];
  });
}
