import fc from 'fast-check';
import * as z from 'zod';
import type { Json } from './mutations.ts';
import { POOLS } from './pools.ts';
import { strings, type TextSchema } from './strings.ts';

interface Schema extends TextSchema {
  readonly type?: string;
  readonly const?: Json;
  readonly enum?: readonly Json[];
  readonly anyOf?: readonly Schema[];
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly propertyNames?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  /** The value of a text, from the contract's own metadata. */
  readonly jsonSchema?: Schema;
}

type Definitions = NonNullable<Schema['$defs']>;

const MAX_ITEMS = 3;
/** What every request is refused with, or all that are not about Spaces. */
const SELDOM = new Set(['hardware', 'storageTier', 'sleepTimeSeconds', 'template', 'variables', 'secrets', 'volumes']);

/** Generates valid values of a schema as they are sent, from its JSON Schema and the names of properties. */
export function valuesOf(type: z.ZodType): fc.Arbitrary<Json> {
  const schema = z.toJSONSchema(type, { io: 'input', unrepresentable: 'any' }) as Schema;
  return values(schema, schema.$defs ?? {}, '');
}

/** Generates values for the parameters that an object's schema declares. */
export function partsOf(object: z.ZodObject | undefined): Record<string, fc.Arbitrary<Json>> {
  const { properties = {}, $defs = {} } = object
    ? (z.toJSONSchema(object, { io: 'input', unrepresentable: 'any' }) as Schema)
    : {};
  return mapped(properties, (part, name) => values(part, $defs, `{${name}}` in POOLS ? `{${name}}` : name));
}

function values(schema: Schema, definitions: Definitions, name: string): fc.Arbitrary<Json> {
  const inner = (part: Schema, called = name) => values(part, definitions, called);
  if (schema.$ref) return inner(definitions[schema.$ref.split('/').at(-1) ?? ''] ?? {});
  if (schema.const !== undefined) return fc.constant(schema.const);
  const { enum: choices } = schema;
  if (choices) return fc.constantFrom(...choices, ...(POOLS[name] ?? []).filter((text) => choices.includes(text)));
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((part) => inner(part)));
  if (schema.jsonSchema) return fc.oneof({ weight: 4, arbitrary: inner(schema.jsonSchema) }, strings(schema, name));
  switch (schema.type ?? 'any') {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
    case 'number':
      return fc.integer({
        min: schema.minimum ?? (schema.exclusiveMinimum === undefined ? -1000 : schema.exclusiveMinimum + 1),
        max: Math.min(schema.maximum ?? 1_000_000, 1_000_000),
      });
    case 'string':
      return strings(schema, name);
    case 'array': {
      const least = schema.minItems ?? 0;
      return fc.array(inner(schema.items ?? {}), { minLength: least, maxLength: least + MAX_ITEMS });
    }
    case 'object':
      return objects(schema, name, inner);
    default:
      return fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>;
  }
}

function objects(
  schema: Schema,
  name: string,
  inner: (part: Schema, name?: string) => fc.Arbitrary<Json>,
): fc.Arbitrary<Json> {
  if (schema.properties) {
    const parts = mapped(schema.properties, (part, key) => {
      const value = inner(part, `${name}.${key}` in POOLS ? `${name}.${key}` : key);
      if (schema.required?.includes(key)) return value;
      if (SELDOM.has(key)) return sometimes(sometimes(value));
      return part.type === 'array' ? fc.oneof(value, sometimes(value)) : sometimes(value);
    });
    return fc.record(parts, { noNullPrototype: true }).map(withoutAbsent);
  }
  const more = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : {};
  return fc.dictionary(strings(schema.propertyNames ?? {}, ''), inner(more), {
    maxKeys: MAX_ITEMS,
    noNullPrototype: true,
  });
}

/** Generates nothing two times of three, so that objects of many parts often have only one. */
export const sometimes = <T>(part: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: part });

export const withoutAbsent = (object: Readonly<Record<string, Json | undefined>>): Record<string, Json> =>
  Object.fromEntries(Object.entries(object).filter((entry): entry is [string, Json] => entry[1] !== undefined));

const mapped = <T, R>(object: Readonly<Record<string, T>>, change: (value: T, name: string) => R): Record<string, R> =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)]));
