import { scimError } from '../errors.ts';
import type { Filter } from '../filter/filter.ts';
import { matches } from '../filter/matches.ts';
import type { Attribute } from '../resources/attributes.ts';
import type { JsonObject } from '../resources/json.ts';
import type { Target } from './path.ts';
import { readElement, readPart, withoutUndefined } from './value.ts';

/**
 * Returns the type of a value; `work` by default. There is one value per type, so that a new value replaces an old one.
 */
const typeOf = ({ type }: JsonObject): string => (typeof type === 'string' ? type.toLowerCase() : 'work');

function withValue(values: readonly JsonObject[], added: JsonObject): JsonObject[] {
  const old = values.find((each) => typeOf(each) === typeOf(added));
  const others = values.filter((each) => each !== old);
  // At most one value is primary (RFC 7643, 2.4).
  const rest = added.primary === true ? others.map((each) => ({ ...each, primary: false })) : others;
  return [...rest, { ...old, ...added }];
}

/** The maximum number of values, which bounds the work per step. */
const MAX_VALUES = 100;

/** Reads the values that a provider sends: a list, or a single value. */
function readElements(attribute: Attribute, value: unknown): JsonObject[] {
  const given = value === null ? [] : Array.isArray(value) ? value : [value];
  requireMaxValues(attribute, given);
  const elements = given.map((each) => readElement(attribute, each));
  if (elements.some((each) => each.value === undefined))
    throw scimError(400, `Each entry of ${attribute.name} must have a value`, 'invalidValue');
  return elements;
}

export function requireMaxValues({ name }: Attribute, values: readonly unknown[]): void {
  if (values.length > MAX_VALUES)
    throw scimError(400, `${name} must have at most ${MAX_VALUES} values`, 'invalidValue');
}

export const addValues = (attribute: Attribute, values: readonly JsonObject[], value: unknown): JsonObject[] =>
  readElements(attribute, value).reduce(withValue, [...values]);

export const replaceValues = (attribute: Attribute, value: unknown): JsonObject[] => readElements(attribute, value);

/** Adds or replaces the values that match a filter, or one part of them; adds a value if none matches. */
export function changeValues(values: readonly JsonObject[], target: Target, value: unknown): JsonObject[] {
  const { attribute, filter, sub } = target;
  const change: JsonObject = sub
    ? { [sub.name]: readPart(sub, `${attribute.name}.${sub.name}`, value) }
    : readElement(attribute, Array.isArray(value) && value.length === 1 ? value[0] : value);
  const isChanged = values.map((each) => isTarget(target, each));
  if (isChanged.includes(true)) {
    const demoted: readonly JsonObject[] =
      change.primary === true ? values.map((each) => ({ ...each, primary: false })) : values;
    return demoted
      .map((each, at) =>
        isChanged[at] ? withoutUndefined({ ...(filter && partsOf(filter)), ...each, ...change }) : each,
      )
      .filter((each) => each.value !== undefined);
  }
  const added = withoutUndefined({ ...(filter && partsOf(filter)), ...change });
  if (added.value === undefined) throw scimError(400, `There is no value of ${attribute.name} to change`, 'noTarget');
  return withValue(values, added);
}

/**
 * Removes the values that match the filter, if there is one, and that are listed in `value`, if it is given. If the target is a
 * sub-attribute, removes only this sub-attribute from the values that match, whatever is listed.
 */
export function removeValues(values: readonly JsonObject[], target: Target, value: unknown): JsonObject[] {
  const { attribute, sub } = target;
  const listed =
    value === undefined || value === null ? undefined : [value].flat().map((each) => readElement(attribute, each));
  const isSelected = (each: JsonObject) =>
    isTarget(target, each) && (!listed || sub !== undefined || listed.some((wanted) => isLike(each, wanted)));
  if (!sub || sub.name === 'value') return values.filter((each) => !isSelected(each));
  return values.map((each) => (isSelected(each) ? withoutUndefined({ ...each, [sub.name]: undefined }) : each));
}

const isTarget = ({ attribute, filter }: Target, value: JsonObject): boolean =>
  !filter || matches(filter, { [attribute.name]: [{ type: 'work', ...value }] });

const isLike = (value: JsonObject, wanted: JsonObject): boolean =>
  Object.entries(wanted).every(([name, part]) => value[name] === part);

/** Returns the parts that a value needs to match a filter: those compared with `eq`. */
function partsOf(filter: Filter): JsonObject {
  if (filter.op === 'and') return Object.assign({}, ...filter.filters.map(partsOf));
  if (filter.op !== 'eq' || filter.value === null) return {};
  return { [filter.path.split('.')[1] ?? '']: filter.value };
}
