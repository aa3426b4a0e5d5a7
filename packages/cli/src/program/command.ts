import type { Hub } from '@moonbase/client/request';
import { InvalidArgumentError } from 'commander';
import { printAnswer, printLines, printList } from '../terminal/print.ts';
import type { Columns } from '../terminal/table.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { Parameter, Parameters, Values } from './parameter.ts';

export type { Columns } from '../terminal/table.ts';

/** The context that every command receives besides its arguments and options. */
export interface CommandContext {
  /** The hub from the options, the environment or `moonbase login`. Throws a `UsageError` if none of them names one. */
  readonly hub: Hub;
  readonly terminal: Terminal;
  /** Whether `--json` requests the hub's responses, for other programs. */
  readonly json: boolean;
  /** The value of `--url`. */
  readonly url: string | undefined;
  /** Sets the exit status of a command that finished and found a problem. */
  readonly end: (status: number) => void;
}

export type Context<A extends Parameters, O extends Parameters> = CommandContext & {
  readonly args: Values<A>;
  readonly options: Values<O>;
};

/** A command, as the program runs it and the reference describes it. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  /** Shown after the rest of the help text. */
  readonly details: string | undefined;
  readonly args: Parameters;
  readonly options: Parameters;
  /** Whether options end at the first argument, because the rest is passed to another program. */
  readonly passThrough: boolean;
  readonly execute: (context: Context<Parameters, Parameters>) => Promise<void>;
}

/** Commands under a common name, as in `moonbase webhooks …`. */
export interface Group {
  readonly name: string;
  readonly summary: string;
  readonly commands: readonly (Command | Group)[];
  /** What the name alone does, with arguments. */
  readonly own?: Command | undefined;
}

type None = Readonly<Record<never, never>>;

const DEFAULT_LIMIT = 30;
const LIMIT: Parameter<number> = {
  ...{ placeholder: 'count', short: 'L', required: false, many: false },
  help: `maximum number of entries, or "all" (default: ${DEFAULT_LIMIT})`,
  parse(text) {
    if (text === 'all') return Number.POSITIVE_INFINITY;
    if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a whole number above 0, or "all".');
    return Number(text);
  },
};

const limitIn = ({ limit }: Values<Parameters>) => (typeof limit === 'number' ? limit : undefined);

interface Shape<A extends Parameters, O extends Parameters> {
  readonly name: string;
  readonly summary: string;
  readonly details?: string;
  readonly args?: A;
  readonly options?: O;
  readonly passThrough?: boolean;
}

interface Answering<A extends Parameters, O extends Parameters, T> extends Shape<A, O> {
  /** Returns the result, which `--json` prints; undefined prints nothing. */
  readonly run: (context: Context<A, O>) => Promise<T>;
  /** Returns the output for people. */
  readonly say?: (answer: T, context: Context<A, O>) => string;
  /** The table for people, instead of `say`. */
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

/** Adds commands below a command, whose first argument is none of their names. */
export const withCommands = (own: Command, commands: Group['commands']): Group => ({
  ...group(own.name, own.summary, commands),
  own,
});

/** Creates a command with a single result. */
export function command<T, A extends Parameters = None, O extends Parameters = None>(
  spec: Answering<A, O, T>,
): Command {
  return createCommand(spec, async (context) => printAnswer(await spec.run(context), spec, context));
}

/** Creates a command whose result is a list of at most `--limit` entries. */
export function listing<T, A extends Parameters = None, O extends Parameters = None>(spec: Listing<A, O, T>): Command {
  const list = createCommand(spec, (context, { limit }) => {
    return printList(spec.run(context), spec.columns, limit ?? DEFAULT_LIMIT, context);
  });
  return { ...list, options: { ...list.options, limit: LIMIT } };
}

/** Creates a command that prints entries as they arrive; with `--json` one JSON value per line. */
export function following<T, A extends Parameters = None, O extends Parameters = None>(
  spec: Following<A, O, T>,
): Command {
  return createCommand(spec, (context) => printLines(spec.run(context), (entry) => spec.line(entry, context), context));
}

function createCommand<A extends Parameters, O extends Parameters>(
  spec: Shape<A, O>,
  execute: (context: Context<A, O>, values: { readonly limit?: number | undefined }) => Promise<void>,
): Command {
  const { name, summary, details, args = {}, options = {}, passThrough = false } = spec;
  return {
    ...{ name, summary, details, args, options, passThrough },
    // The parameters of this specification have parsed the values.
    execute: (context) => execute(context as Context<A, O>, { limit: limitIn(context.options) }),
  };
}
