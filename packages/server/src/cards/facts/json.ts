export type Json = string | number | boolean | null | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns an own property of an object; inherited properties count as absent. */
export const own = (object: Json | undefined, key: string): Json | undefined =>
  isObject(object) && Object.hasOwn(object, key) ? object[key] : undefined;

export const textAt = (object: Json | undefined, key: string): string | undefined => {
  const value = own(object, key);
  return typeof value === 'string' && value !== '' ? value : undefined;
};

/** Returns a property as a list of texts, whether it is a single text or a list; numbers count as texts. */
export function textsAt(object: Json | undefined, key: string): string[] {
  const value = own(object, key);
  return (Array.isArray(value) ? value : [value]).flatMap((each) => {
    if (typeof each === 'number') return [String(each)];
    return typeof each === 'string' && each !== '' ? [each] : [];
  });
}

const MAX_DEPTH = 32;

/** Returns a value unless it is nested too deeply or its JSON is longer than `maxLength`. */
export function withinLimit(value: Json | undefined, maxLength: number): Json | undefined {
  let remaining = maxLength;
  const fits = (each: Json, depth: number): boolean => {
    remaining -= typeof each === 'string' ? each.length + 2 : 4;
    if (remaining < 0 || depth > MAX_DEPTH) return false;
    if (Array.isArray(each)) return each.every((item) => fits(item, depth + 1));
    if (!isObject(each)) return true;
    return Object.entries(each).every(([key, item]) => {
      remaining -= key.length + 4;
      return fits(item, depth + 1);
    });
  };
  return value !== undefined && fits(value, 0) ? value : undefined;
}
