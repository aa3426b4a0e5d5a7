/** Returns the keys of an object that has exactly the keys of its type. */
// Object.keys returns string[], because a value may have more keys than its type; callers pass literals.
export const keysOf = <Value extends object>(value: Value): (keyof Value & string)[] =>
  Object.keys(value) as (keyof Value & string)[];

/** Returns an object with a value of the same type under each key. */
// Object.fromEntries loses the type of the keys.
export const recordOf = <Key extends string, Value>(
  keys: readonly Key[],
  make: (key: Key) => Value,
): Record<Key, Value> => Object.fromEntries(keys.map((key) => [key, make(key)])) as Record<Key, Value>;

/** Returns those of the wanted properties that are defined and differ from the value's own. */
export function changedProperties<Value extends object>(
  value: Value,
  wanted: { readonly [Key in keyof Value]?: Value[Key] | undefined },
): Partial<Value> {
  const changed: Partial<Value> = {};
  for (const key of keysOf(wanted)) {
    const next = wanted[key];
    if (next !== undefined && next !== value[key]) changed[key] = next;
  }
  return changed;
}

/** Returns whether a value is an object other than a list. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
