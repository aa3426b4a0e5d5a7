import { PATCH_OP } from '@moonbase/contract/scim/shapes';
import { scimError } from '../errors.ts';
import { isObject, propertyOf } from '../resources/json.ts';

export interface Operation {
  readonly op: 'add' | 'replace' | 'remove';
  readonly path: string | undefined;
  readonly value: unknown;
}

/**
 * Reads the operations of a PATCH (RFC 7644, 3.5.2); names and keywords may be in any case, because Entra sends
 * `Replace`.
 */
export function readOperations(body: unknown): Operation[] {
  if (!isObject(body)) throw scimError(400, 'The body must be an object with `Operations`', 'invalidSyntax');
  const schemas = propertyOf(body, 'schemas');
  if (schemas !== undefined && !(Array.isArray(schemas) && schemas.some(isPatchOp)))
    throw scimError(400, `\`schemas\` must name ${PATCH_OP}`, 'invalidSyntax');
  const operations = propertyOf(body, 'Operations');
  if (!Array.isArray(operations) || operations.length === 0)
    throw scimError(400, '`Operations` must be a list of at least one operation', 'invalidSyntax');
  return operations.map(readOperation);
}

const isPatchOp = (schema: unknown): boolean =>
  typeof schema === 'string' && schema.toLowerCase() === PATCH_OP.toLowerCase();

function readOperation(given: unknown): Operation {
  if (!isObject(given)) throw scimError(400, 'Each entry of `Operations` must be an object', 'invalidSyntax');
  const word = propertyOf(given, 'op');
  const op = typeof word === 'string' ? word.toLowerCase() : undefined;
  if (op !== 'add' && op !== 'replace' && op !== 'remove')
    throw scimError(400, '`op` must be add, replace or remove', 'invalidSyntax');
  const path = propertyOf(given, 'path') ?? undefined;
  if (path !== undefined && typeof path !== 'string') throw scimError(400, '`path` must be a string', 'invalidPath');
  const value = propertyOf(given, 'value');
  if (op === 'remove' && (path === undefined || path.trim() === ''))
    throw scimError(400, '`path` must name what to remove', 'noTarget');
  if (op !== 'remove' && value === undefined) throw scimError(400, `\`${op}\` needs a \`value\``, 'invalidValue');
  return { op, path, value };
}
