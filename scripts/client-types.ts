import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { RouteDeclaration } from '@moonbase/contract/route';
import * as z from 'zod';

export type Fields = Readonly<Record<string, z.ZodType>>;
type NamedType = readonly [id: string, type: string];

const contract = fileURLToPath(new URL('../packages/contract/src', import.meta.url));

/** The module and name under which the contract declares each route, by the id of the route. */
const declared = new Map<string, { readonly module: string; readonly name: string }>();
for (const file of readdirSync(contract, { recursive: true, encoding: 'utf8' }).filter((path) =>
  /(?<!\.test)\.ts$/.test(path),
)) {
  const exported = (await import(pathToFileURL(join(contract, file)).href)) as object;
  for (const [name, value] of Object.entries(exported) as [string, unknown][])
    for (const [path, each] of [[name, value] as const, ...membersOf(name, value)])
      if (isRoute(each)) declared.set(each.id, { module: file.slice(0, -3), name: path });
}

/** Returns the type of a route's declaration, for a file that imports it. */
export function typeOf({ id }: RouteDeclaration): string {
  const { module, name } = declared.get(id) ?? {};
  if (module === undefined) throw new Error(`No module of the contract exports the route ${id}`);
  return `typeof ${aliasOf(module)}.${name}`;
}

/** Returns the imports of the declarations that a text names. */
export function importsOf(routes: readonly RouteDeclaration[], text: string): string[] {
  const modules = new Set(routes.flatMap(({ id }) => declared.get(id)?.module ?? []));
  return [...modules]
    .filter((module) => text.includes(`typeof ${aliasOf(module)}.`))
    .sort()
    .map((module) => `import type * as ${aliasOf(module)} from '@moonbase/contract/${module}';`);
}

/** Returns the schemas with an id in the answers and inputs of a route, each with the path to its type. */
export function typesOf(route: RouteDeclaration): NamedType[] {
  return [
    ...answersOf(route).flatMap((schema) => typesIn(schema, `SuccessAnswer<${typeOf(route)}>`)),
    ...(route.body ? typesIn(route.body, `RouteBody<${typeOf(route)}>`) : []),
    ...(route.query ? typesIn(route.query, `RouteQuery<${typeOf(route)}>`) : []),
  ];
}

/** Returns the schema of the JSON answer of a successful request. */
export function answersOf({ answers }: RouteDeclaration): z.ZodType[] {
  return Object.entries(answers).flatMap(([status, schema]) => (Number(status) < 300 ? [schema] : []));
}

/** Removes the wrappers that make a schema optional. */
export function bare(schema: z.ZodType): z.ZodType {
  const isWrapped = schema instanceof z.ZodOptional || schema instanceof z.ZodDefault;
  return isWrapped ? bare(schema.unwrap() as z.ZodType) : schema;
}

function typesIn(schema: z.ZodType, type: string): NamedType[] {
  const id = schema.meta()?.id;
  return [...(id ? [[id, type] as const] : []), ...partsOf(schema, type).flatMap((part) => typesIn(...part))];
}

function partsOf(schema: z.ZodType, type: string): (readonly [schema: z.ZodType, type: string])[] {
  if (schema instanceof z.ZodArray) return [[schema.element as z.ZodType, `${type}[number]`]];
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape as Fields).map(([name, field]) => [field, `${type}['${name}']`]);
  const inner = schema instanceof z.ZodNullable ? (schema.unwrap() as z.ZodType) : bare(schema);
  return inner === schema ? [] : [[inner, `NonNullable<${type}>`]];
}

function aliasOf(module: string): string {
  return basename(module).replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function isRoute(value: unknown): value is RouteDeclaration {
  return typeof value === 'object' && value !== null && 'authority' in value;
}

/** Returns the members of an object of routes, such as one for each tree of SCIM. */
function membersOf(name: string, value: unknown): (readonly [path: string, value: unknown])[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.entries(value).map(([key, member]: [string, unknown]) => [`${name}.${key}`, member]);
}
