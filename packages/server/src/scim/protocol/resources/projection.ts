import { type AttributePath, resolvePath } from '../filter/attribute-path.ts';
import { ATTRIBUTES, type Attribute, type ResourceKind } from './attributes.ts';
import { isObject, type JsonObject } from './json.ts';

/** Attribute lists of the query, separated by commas. */
export interface Projection {
  readonly attributes?: string | undefined;
  readonly excludedAttributes?: string | undefined;
}

/** Reduces a resource to the requested attributes (RFC 7644, 3.9); `id` and `schemas` always remain. */
export function project<Resource extends object>(kind: ResourceKind, resource: Resource, query: Projection): Resource {
  const parts = partsOf(kind, query);
  if (!parts) return resource;
  const { included, excluded } = parts;
  const kept = ATTRIBUTES[kind].flatMap((attribute): [string, unknown][] => {
    // A resource is JSON, whatever its attributes.
    const value = (resource as JsonObject)[attribute.name];
    if (value === undefined) return [];
    if (attribute.returned === 'always') return [[attribute.name, value]];
    const left = projected(attribute, value, included, excluded);
    return left === undefined ? [] : [[attribute.name, left]];
  });
  // A client that requests fewer attributes gets fewer; `id` and `schemas` always remain.
  return Object.fromEntries(kept) as Resource;
}

/** Returns whether any part of an attribute is requested; others need not be read from the database. */
export function isAskedFor(kind: ResourceKind, name: string, query: Projection): boolean {
  const { included, excluded } = partsOf(kind, query) ?? {};
  const whole = ({ attribute, sub }: AttributePath) => attribute.name === name && !sub;
  return (!included || included.some(({ attribute }) => attribute.name === name)) && !excluded?.some(whole);
}

function partsOf(kind: ResourceKind, { attributes, excludedAttributes }: Projection) {
  const included = pathsIn(kind, attributes);
  const excluded = pathsIn(kind, excludedAttributes);
  return included || excluded ? { included, excluded } : undefined;
}

/** Parses a list of attribute names; unknown names are ignored. */
function pathsIn(kind: ResourceKind, list: string | undefined): AttributePath[] | undefined {
  const names = (list ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (names.length === 0) return undefined;
  return names.flatMap((name) => {
    const path = resolvePath(kind, name);
    return path === undefined || path === 'not-kept' ? [] : [path];
  });
}

function projected(
  attribute: Attribute,
  value: unknown,
  included: readonly AttributePath[] | undefined,
  excluded: readonly AttributePath[] | undefined,
): unknown {
  const of = (paths: readonly AttributePath[] | undefined) =>
    paths?.filter((path) => path.attribute === attribute) ?? [];
  if (included && of(included).length === 0) return undefined;
  if (of(excluded).some(({ sub }) => !sub)) return undefined;
  const only = of(included).every(({ sub }) => sub) ? of(included).map(({ sub }) => sub?.name) : [];
  const without = of(excluded).map(({ sub }) => sub?.name);
  const keep = (name: string) => (only.length === 0 || only.includes(name)) && !without.includes(name);
  const partsOfOne = (one: unknown) =>
    isObject(one) ? Object.fromEntries(Object.entries(one).filter(([name]) => keep(name))) : one;
  return Array.isArray(value) ? value.map(partsOfOne) : partsOfOne(value);
}
