import { Argument, type Command as Commander, Option } from 'commander';
import type { Command, Group } from './command.ts';
import type { Parameter, Parameters, Values } from './parameter.ts';

/** The options and arguments of one call of a command. */
export interface Call {
  readonly url: string | undefined;
  readonly json: boolean;
  readonly args: Values<Parameters>;
  readonly options: Values<Parameters>;
}

type Execute = (command: Command, call: Call) => Promise<void>;

/** The options that every command accepts in any position. */
export const GLOBAL_OPTIONS = [
  {
    flags: '--url <url>',
    help: 'URL of the hub (default: MOONBASE_URL, HF_ENDPOINT, or the hub of your last sign-in)',
  },
  { flags: '--json', help: 'print the response of the hub as JSON' },
] as const;

/** Second names of commands, which the reference does not list. */
export const ALIASES: Readonly<Record<string, string>> = { list: 'ls' };

/** Adds a command, or a group with all its commands, to a parent. */
export function addCommand(parent: Commander, entry: Command | Group, execute: Execute): void {
  const added = parent.command(entry.name).description(entry.summary);
  const alias = ALIASES[entry.name];
  if (alias !== undefined) added.alias(alias);
  const own = 'commands' in entry ? entry.own : entry;
  if (own) addAction(added, own, execute);
  else addGlobalOptions(added);
  if ('commands' in entry) for (const inner of entry.commands) addCommand(added, inner, execute);
}

function addAction(added: Commander, entry: Command, execute: Execute): void {
  if (entry.details !== undefined) added.addHelpText('after', `\n${entry.details}`);
  for (const [name, parameter] of Object.entries(entry.args)) added.addArgument(argumentOf(name, parameter));
  for (const [name, parameter] of Object.entries(entry.options)) added.addOption(optionOf(name, parameter));
  addGlobalOptions(added);
  if (entry.passThrough) added.passThroughOptions();
  added.action(async () => {
    const { url, json = false, ...options } = added.optsWithGlobals<{ url?: string; json?: boolean }>();
    const names = Object.keys(entry.args);
    const args = Object.fromEntries(added.processedArgs.map((value: unknown, at) => [names[at] ?? '', value]));
    await execute(entry, { url, json, args, options });
  });
}

/** Declares the global options on each command, so that a command may pass on everything after its arguments. */
export function addGlobalOptions(command: Commander): void {
  for (const { flags, help } of GLOBAL_OPTIONS) command.addOption(new Option(flags, help));
}

/** Converts `dryRun` to `dry-run`. */
export const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Returns the form of an argument: `<name>`, `[name]` or `[name...]`. */
export function argumentForm(name: string, { required, many }: Parameter<unknown>): string {
  const inner = kebab(name) + (many ? '...' : '');
  return required ? `<${inner}>` : `[${inner}]`;
}

/** Returns the form of an option: `-q, --query <terms>`. */
export function optionForm(name: string, { short, placeholder }: Parameter<unknown>): string {
  return `${short ? `-${short}, ` : ''}--${kebab(name)}${placeholder ? ` <${placeholder}>` : ''}`;
}

function argumentOf(name: string, parameter: Parameter<unknown>): Argument {
  const argument = new Argument(argumentForm(name, parameter), parameter.help);
  if (parameter.choices) argument.choices(parameter.choices);
  return argument.argParser((text, before: unknown) => parameter.parse(text, before));
}

function optionOf(name: string, parameter: Parameter<unknown>): Option {
  const option = new Option(optionForm(name, parameter), parameter.help).makeOptionMandatory(parameter.required);
  if (parameter.choices) option.choices(parameter.choices);
  return parameter.placeholder === undefined
    ? option
    : option.argParser((text, before: unknown) => parameter.parse(text, before));
}
