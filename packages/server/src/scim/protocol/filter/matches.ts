import { ATTRIBUTES, type Attribute } from '../resources/attributes.ts';
import { isObject, type JsonObject } from '../resources/json.ts';
import { type Comparison, type Filter, type FilterValue, fold } from './filter.ts';

/** Returns whether a resource in canonical form meets a filter: the same as `filterCondition` in SQL. */
export function matches(filter: Filter, resource: JsonObject): boolean {
  switch (filter.op) {
    case 'and':
      return filter.filters.every((each) => matches(each, resource));
    case 'or':
      return filter.filters.some((each) => matches(each, resource));
    case 'not':
      return !matches(filter.filter, resource);
    case 'any':
      return listOf(resource[filter.path]).some((value) => matches(filter.filter, { [filter.path]: value }));
    case 'pr':
      return isPresent(resource, filter.path);
    case 'eq':
    case 'ne':
    case 'co':
    case 'sw':
    case 'ew':
    case 'gt':
    case 'ge':
    case 'lt':
    case 'le':
      return compares(filter.op, resource, filter.path, filter.value);
  }
}

function compares(op: Comparison, resource: JsonObject, path: string, value: FilterValue): boolean {
  if (op === 'ne') return !compares('eq', resource, path, value);
  if (value === null) return op === 'eq' && !isPresent(resource, path);
  return valuesAt(resource, path).some((found) => holds(op, comparable(path, found), comparable(path, value)));
}

const isPresent = (resource: JsonObject, path: string): boolean =>
  valuesAt(resource, path).some((value) => value !== '');

/** Returns all non-null values at a path, including each value of a list. */
function valuesAt(resource: JsonObject, path: string): unknown[] {
  const [name = '', sub] = path.split('.');
  const values = listOf(resource[name]);
  const found = sub === undefined ? values : values.flatMap((value) => (isObject(value) ? listOf(value[sub]) : []));
  return found.filter((value) => value !== null && value !== undefined);
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : value === undefined ? [] : [value]);

type Comparable = string | number | boolean;

function comparable(path: string, value: unknown): Comparable {
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  const text = String(value);
  if (TIMES.has(path)) return Date.parse(text);
  return EXACT.has(path) ? text : fold(text);
}

function holds(op: Exclude<Comparison, 'ne'>, found: Comparable, value: Comparable): boolean {
  switch (op) {
    case 'eq':
      return found === value;
    case 'co':
      return String(found).includes(String(value));
    case 'sw':
      return String(found).startsWith(String(value));
    case 'ew':
      return String(found).endsWith(String(value));
    case 'gt':
      return order(found, value) > 0;
    case 'ge':
      return order(found, value) >= 0;
    case 'lt':
      return order(found, value) < 0;
    case 'le':
      return order(found, value) <= 0;
  }
}

/** Compares texts by code points, as the databases do. */
const order = (a: Comparable, b: Comparable): number =>
  typeof a === 'number' && typeof b === 'number'
    ? a - b
    : Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));

const pathsWhere = (test: (attribute: Attribute) => boolean): Set<string> =>
  new Set(
    Object.values(ATTRIBUTES)
      .flat()
      .flatMap((attribute) => [
        ...(test(attribute) ? [attribute.name] : []),
        ...(attribute.subAttributes ?? []).filter(test).map((sub) => `${attribute.name}.${sub.name}`),
      ]),
  );

const EXACT = pathsWhere(({ caseExact }) => caseExact);
const TIMES = pathsWhere(({ type }) => type === 'dateTime');
