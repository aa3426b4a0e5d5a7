import * as z from 'zod';
import { mapCooperatively } from '../../cooperative.ts';
import { isObject } from '../../typed-objects.ts';

/** The result of parsing a value: its data or, if there are issues, no data. */
export interface ParseResult {
  readonly data: unknown;
  readonly issues: readonly z.core.$ZodIssue[];
}

type Parameters = z.core.ParseContext<z.core.$ZodIssue>;

/** A list of at most this many items is parsed in less than 5 ms. */
const MAX_SHORT_LIST = 250;

const isLong = (value: unknown): value is readonly unknown[] => Array.isArray(value) && value.length > MAX_SHORT_LIST;

/** Returns whether a body contains a list that takes so long to parse that other requests would notice. */
export const hasLongList = (body: unknown): boolean => isObject(body) && Object.values(body).some(isLong);

/** Returns the list type of a field, unwrapped from its default or optional wrapper. */
function listIn(field: z.core.$ZodType): z.ZodArray | undefined {
  if (field instanceof z.ZodArray) return field;
  if (field instanceof z.ZodDefault || field instanceof z.ZodOptional) return listIn(field.def.innerType);
  return undefined;
}

/** Returns a field type whose list keeps its own rules but accepts any items. */
function withAnyItems(field: z.core.$ZodType): z.core.$ZodType {
  if (field instanceof z.ZodArray) return field.clone({ ...field.def, element: z.any() });
  if (field instanceof z.ZodDefault) return field.clone({ ...field.def, innerType: withAnyItems(field.def.innerType) });
  if (field instanceof z.ZodOptional)
    return field.clone({ ...field.def, innerType: withAnyItems(field.def.innerType) });
  return field;
}

const shells = new WeakMap<z.ZodObject, z.ZodObject>();

/** Returns an object schema whose lists keep their own rules but accept any items. */
function shellOf(schema: z.ZodObject): z.ZodObject {
  const known = shells.get(schema);
  if (known) return known;
  const shape = Object.fromEntries(Object.entries(schema.shape).map(([key, field]) => [key, withAnyItems(field)]));
  const shell = schema.clone({ ...schema.def, shape });
  shells.set(schema, shell);
  return shell;
}

/**
 * Returns the sort position of an issue: issues follow the order of the object's keys, and issues of the object itself
 * come last.
 */
function positionOf({ path: [key] }: z.core.$ZodIssue, keys: readonly PropertyKey[]): number {
  const at = key === undefined ? -1 : keys.indexOf(key);
  return at < 0 ? keys.length : at;
}

/**
 * Parses an object as `schema.safeParse` does, but lets other requests run while list items are parsed: 5,000 items
 * with ten fields each take 60 ms. Schemas other than objects are parsed at once.
 */
export async function parseCooperatively(
  schema: z.ZodType,
  value: unknown,
  parameters: Parameters,
): Promise<ParseResult> {
  if (!(schema instanceof z.ZodObject) || !isObject(value)) return parsedBy(schema, value, parameters);
  const parsed = { ...value };
  const issues: z.core.$ZodIssue[] = [];
  for (const [key, field] of Object.entries(schema.shape)) {
    const items = value[key];
    const list = listIn(field);
    if (!list || !Array.isArray(items)) continue;
    const results = await mapCooperatively(items, (item: unknown) => z.safeParse(list.def.element, item, parameters));
    parsed[key] = results.map(({ data }) => data);
    for (const [at, { error }] of results.entries())
      for (const issue of error?.issues ?? []) issues.push({ ...issue, path: [key, at, ...issue.path] });
  }
  const shell = parsedBy(shellOf(schema), parsed, parameters);
  const keys = Object.keys(schema.shape);
  if (issues.length === 0) return shell;
  issues.push(...shell.issues);
  return { data: undefined, issues: issues.sort((a, b) => positionOf(a, keys) - positionOf(b, keys)) };
}

/** Parses a value without yielding to other requests. */
export function parsedBy(schema: z.ZodType, value: unknown, parameters: Parameters): ParseResult {
  const { data, error } = schema.safeParse(value, parameters);
  return { data, issues: error?.issues ?? [] };
}
