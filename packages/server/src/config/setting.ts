import { z } from 'zod';

/** What is known of a setting beside its schema. */
interface Declaration {
  /** The name of its environment variable. */
  readonly name: string;
  /** What it does, in Markdown, for docs/configuration.md. */
  readonly docs: string;
  /** What holds where it is not set, for a setting without a default of its own. */
  readonly otherwise?: string | undefined;
}

/** A setting as docs/configuration.md lists it. */
export interface ListedSetting {
  readonly name: string;
  readonly docs: string;
  /** What is used where it is not set, as it would be written in the environment. */
  readonly default: string | undefined;
  /** The default in words. */
  readonly otherwise: string | undefined;
  /** The values it takes, of a setting that takes only some words. */
  readonly choices: readonly string[] | undefined;
}

type Fields = Readonly<Record<string, z.ZodType>>;

const declarations = z.registry<Declaration>();

/**
 * Declares a setting: its name, what its text must look like, and what it does. The default is part of the schema, as
 * `prefault`; `otherwise` says in words what holds without one.
 */
export function setting<Schema extends z.ZodType>(
  name: string,
  schema: Schema,
  docs: string,
  otherwise?: string,
): Schema {
  declarations.add(schema, { name, docs, otherwise });
  return schema;
}

/** Returns the settings of a group, and of the groups in it, in the order of their declaration. */
export function listSettings(group: z.ZodObject): ListedSetting[] {
  return Object.values(fieldsOf(group)).flatMap((field) => {
    if (field instanceof z.ZodObject) return listSettings(field);
    const { name, docs, otherwise } = declarationOf(field);
    const inner = field instanceof z.ZodPrefault ? field.unwrap() : field;
    return {
      ...{ name, docs, otherwise },
      default: field instanceof z.ZodPrefault ? String(field.def.defaultValue) : undefined,
      choices: inner instanceof z.ZodEnum ? inner.options.map(String) : undefined,
    };
  });
}

/** Returns the values of a group of settings. Throws one error that names each setting that is wrong and what it must be. */
export function parseSettings<Group extends z.ZodObject>(
  group: Group,
  environment: Readonly<Record<string, string | undefined>>,
): z.output<Group> {
  const result = group.safeParse(inputOf(group, environment));
  if (result.success) return result.data;
  throw wrongSettings(result.error.issues.map(({ path, message }) => `${nameAt(group, path)}: ${message}`));
}

/** The error that stops the start: one line for each fault, which begins with the name of a setting. */
export const wrongSettings = (faults: readonly string[]): Error =>
  new Error(['The settings are wrong:', ...faults.map((fault) => `  ${fault}`)].join('\n'));

/** Arranges the variables as the schema wants them. */
function inputOf(group: z.ZodObject, environment: Readonly<Record<string, string | undefined>>): object {
  const entries = Object.entries(fieldsOf(group)).map(([key, field]) => [
    key,
    field instanceof z.ZodObject ? inputOf(field, environment) : environment[declarationOf(field).name],
  ]);
  return Object.fromEntries(entries);
}

function nameAt(group: z.ZodObject, [key, ...rest]: readonly PropertyKey[]): string {
  const field = fieldsOf(group)[String(key)];
  if (field === undefined) throw new Error(`No setting is declared as ${String(key)}`);
  return field instanceof z.ZodObject ? nameAt(field, rest) : declarationOf(field).name;
}

const fieldsOf = ({ shape }: z.ZodObject): Fields => shape;

function declarationOf(field: z.ZodType): Declaration {
  const declaration = declarations.get(field);
  if (declaration === undefined) throw new Error('A field of the configuration is not declared as a setting');
  return declaration;
}
