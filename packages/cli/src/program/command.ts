import type { Hub } from '@moonbase/client/request';
import { InvalidArgumentError } from 'commander';
import { printAnswer, printLines, printList } from '../terminal/print.ts';
import type { Columns } from '../terminal/table.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { Parameter, Parameters, Values } from './parameter.ts';

export type { Columns } from '../terminal/table.ts';

/** What every command works with. */
export interface CommandContext {
  /** The hub that is asked, as the options, the environment or `moonbase login` say. Throws a `UsageError`. */
  readonly hub: Hub;
  readonly terminal: Terminal;
  /** `--json`: what the hub answered, for other programs. */
  readonly json: boolean;
  /** `--url`, as it was given. */
  readonly url: string | undefined;
  /** The exit status of a command that did its work and has nothing good to say. */
  readonly end: (status: number) => void;
}

export type Context<A extends Parameters, O extends Parameters> = CommandContext & {
  readonly args: Values<A>;
  readonly options: Values<O>;
};

/** A command as the program runs it and the reference describes it. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  /** More of the help text. */
  readonly details: string | undefined;
  readonly args: Parameters;
  readonly options: Parameters;
  /** Options end at the first argument: what follows belongs to another program. */
  readonly passThrough: boolean;
  readonly execute: (context: Context<Parameters, Parameters>) => Promise<void>;
}

/** Commands under one name: `moonbase webhooks …`. */
export interface Group {
  readonly name: string;
  readonly summary: string;
  readonly commands: readonly (Command | Group)[];
}

type None = Readonly<Record<never, never>>;

const DEFAULT_LIMIT = 30;
const LIMIT: Parameter<number> = {
  ...{ placeholder: 'count', short: 'L', required: false, many: false },
  help: `at most so many; "all" for all (default: ${DEFAULT_LIMIT})`,
  parse(text) {
    if (text === 'all') return Number.POSITIVE_INFINITY;
    if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a whole number above 0, or all.');
    return Number(text);
  },
};

interface Shape<A extends Parameters, O extends Parameters> {
  readonly name: string;
  readonly summary: string;
  readonly details?: string;
  readonly args?: A;
  readonly options?: O;
  readonly passThrough?: boolean;
}

interface Answering<A extends Parameters, O extends Parameters, T> extends Shape<A, O> {
  /** With `--json` its answer is printed; undefined prints nothing. */
  readonly run: (context: Context<A, O>) => Promise<T>;
  /** For people: a sentence or a text. */
  readonly say?: (answer: T, context: Context<A, O>) => string;
  /** For people, in place of `say`: one line for each. */
  readonly columns?: Columns<T>;
}

interface Listing<A extends Parameters, O extends Parameters, T> extends Shape<A, O> {
  readonly run: (context: Context<A, O>) => AsyncIterable<T> | Promise<readonly T[]>;
  readonly columns: Columns<T>;
}

interface Following<A extends Parameters, O extends Parameters, T> extends Shape<A, O> {
  readonly run: (context: Context<A, O>) => AsyncIterable<T>;
  readonly line: (entry: T, context: Context<A, O>) => string;
}

export const group = (name: string, summary: string, commands: Group['commands']): Group => ({
  name,
  summary,
  commands,
});

/** A command with one answer. */
export function command<T, A extends Parameters = None, O extends Parameters = None>(
  spec: Answering<A, O, T>,
): Command {
  return made(spec, async (context) => printAnswer(await spec.run(context), spec, context));
}

/** A command whose answer is a list, at most `--limit` long. */
export function listing<T, A extends Parameters = None, O extends Parameters = None>(spec: Listing<A, O, T>): Command {
  const listed = made(spec, (context) => {
    const { limit = DEFAULT_LIMIT } = context.options as { readonly limit?: number };
    return printList(spec.run(context), spec.columns, limit, context);
  });
  return { ...listed, options: { ...listed.options, limit: LIMIT } };
}

/** A command that prints what happens as it happens; with `--json` one JSON value a line. */
export function following<T, A extends Parameters = None, O extends Parameters = None>(
  spec: Following<A, O, T>,
): Command {
  return made(spec, (context) => printLines(spec.run(context), (entry) => spec.line(entry, context), context));
}

function made<A extends Parameters, O extends Parameters>(
  spec: Shape<A, O>,
  execute: (context: Context<A, O>) => Promise<void>,
): Command {
  const { name, summary, details, args = {}, options = {}, passThrough = false } = spec;
  return {
    ...{ name, summary, details, args, options, passThrough },
    // The values were read by the parameters of this specification.
    execute: (context) => execute(context as Context<A, O>),
  };
}
