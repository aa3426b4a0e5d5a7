import * as z from 'zod';

/** The metadata of a setting. */
interface Declaration {
  /** The name of the environment variable. */
  readonly name: string;
  /** A description in Markdown for docs/configuration.md. */
  readonly docs: string;
  /** The behaviour without a value, for a setting that has no default. */
  readonly otherwise?: string | undefined;
  /** Whether its value is shown to nobody. */
  readonly isSecret: boolean;
}

/** A setting as docs/configuration.md lists it. */
export interface ListedSetting {
  readonly name: string;
  readonly docs: string;
  /** The default value, as it would be written in the environment. */
  readonly default: string | undefined;
  /** The default in words. */
  readonly otherwise: string | undefined;
  /** The accepted values, if the setting has a fixed set. */
  readonly choices: readonly string[] | undefined;
  readonly isSecret: boolean;
}

type Fields = Readonly<Record<string, z.ZodType>>;

const declarations = z.registry<Declaration>();

/**
 * Declares a setting: name, schema and description. The default is part of the schema (`prefault`); `otherwise`
 * describes the behaviour if there is none.
 */
export function setting<Schema extends z.ZodType>(
  name: string,
  schema: Schema,
  docs: string,
  otherwise?: string,
): Schema {
  declarations.add(schema, { name, docs, otherwise, isSecret: false });
  return schema;
}

/** Declares a setting that is, or may contain, a password, a key or a token: the hub says at most that it is set. */
export function secret<Schema extends z.ZodType>(
  name: string,
  schema: Schema,
  docs: string,
  otherwise?: string,
): Schema {
  declarations.add(schema, { name, docs, otherwise, isSecret: true });
  return schema;
}

/** Lists the settings of a group and its subgroups in order of declaration. */
export function listSettings(group: z.ZodObject): ListedSetting[] {
  return Object.values(fieldsOf(group)).flatMap((field) => {
    if (field instanceof z.ZodObject) return listSettings(field);
    const { name, docs, otherwise, isSecret } = declarationOf(field);
    const inner = field instanceof z.ZodPrefault ? field.unwrap() : field;
    return {
      ...{ name, docs, otherwise, isSecret },
      default: field instanceof z.ZodPrefault ? String(field.def.defaultValue) : undefined,
      choices: inner instanceof z.ZodEnum ? inner.options.map(String) : undefined,
    };
  });
}

/** Returns what holds without a value, in Markdown: words, or the default value as code. */
export const defaultText = ({ otherwise, default: value }: ListedSetting): string =>
  otherwise ?? (value === undefined ? 'none' : `\`${value}\``);

/** Parses the values of a group of settings. Throws one error that names each wrong setting and what it must be. */
export function parseSettings<Group extends z.ZodObject>(
  group: Group,
  environment: Readonly<Record<string, string | undefined>>,
): z.output<Group> {
  const result = group.safeParse(inputOf(group, environment), { error: choicesOf });
  if (result.success) return result.data;
  throw wrongSettings(result.error.issues.map(({ path, message }) => `${nameAt(group, path)}: ${message}`));
}

/** Returns what a setting with a fixed set of values must be; other faults have sentences of their own. */
const choicesOf: z.core.$ZodErrorMap = (issue) =>
  issue.code === 'invalid_value'
    ? `must be ${issue.values
        .map(String)
        .join(', ')
        .replace(/, ([^,]+)$/, ' or $1')}`
    : undefined;

/** Returns the error that prevents the start: one line per fault, each beginning with the name of a setting. */
export const wrongSettings = (faults: readonly string[]): Error =>
  new Error(['The settings are wrong:', ...faults.map((fault) => `  ${fault}`)].join('\n'));

/** Arranges environment variables in the structure of the schema. */
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
