import { findAttribute, resolvePath, withoutSchema } from '../filter/attribute-path.ts';
import type { Filter } from '../filter/filter.ts';
import { parseValueFilter } from '../filter/parse.ts';
import { ATTRIBUTES, type Attribute, type ResourceKind, SCHEMA_OF, STANDARD_NAMES } from '../resources/attributes.ts';

/** The target of an operation: an attribute, those of its values that meet a filter, or a part of these. */
export interface Target {
  readonly attribute: Attribute;
  readonly filter?: Filter;
  readonly sub?: Attribute;
}

const VALUE_PATH = /^([^[\]]+)\[(.*)\](?:\.([^[\].]+))?$/s;

/**
 * Resolves the path of an operation, such as `emails[type eq "work"].value` (RFC 7644, 3.5.2). Returns `resource` for
 * the whole resource, `not-kept` for a standard or extension attribute that is not stored here, undefined for an
 * unknown one.
 */
export function targetOf(kind: ResourceKind, path: string): Target | 'resource' | 'not-kept' | undefined {
  const text = path.trim();
  if (text === '' || text.toLowerCase() === SCHEMA_OF[kind].toLowerCase()) return 'resource';
  const [, owner, filter, sub] = VALUE_PATH.exec(withoutSchema(kind, text) ?? '') ?? [];
  if (owner === undefined || filter === undefined) return resolvePath(kind, text);
  const attribute = findAttribute(ATTRIBUTES[kind], owner.trim());
  if (!attribute) return STANDARD_NAMES.has(owner.trim().toLowerCase()) ? 'not-kept' : undefined;
  if (!attribute.multiValued || attribute.type !== 'complex') return undefined;
  const target = { attribute, filter: parseValueFilter(kind, attribute, filter) };
  if (sub === undefined) return target;
  const part = resolvePath(kind, `${attribute.name}.${sub.trim()}`);
  if (part === undefined || part === 'not-kept') return part;
  return part.sub ? { ...target, sub: part.sub } : undefined;
}
