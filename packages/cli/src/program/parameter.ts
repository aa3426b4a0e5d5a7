import { InvalidArgumentError } from 'commander';

/** An argument or an option of a command. */
export interface Parameter<T> {
  /** The text in `<…>`; absent for a flag. */
  readonly placeholder?: string | undefined;
  readonly help: string;
  /** The letter of the short form, as in `-q`. */
  readonly short?: string | undefined;
  readonly choices?: readonly string[] | undefined;
  readonly required: boolean;
  /** Whether the parameter may be repeated. */
  readonly many: boolean;
  /** Parses a text; `before` is the previous value of a repeatable parameter. */
  parse(text: string, before: T | undefined): T;
}

export type Parameters = Readonly<Record<string, Parameter<unknown>>>;

/** The values of parameters by name; undefined for omitted ones. */
export type Values<P extends Parameters> = {
  readonly [Name in keyof P]: P[Name] extends Parameter<infer T>
    ? P[Name] extends { readonly required: true }
      ? T
      : T | undefined
    : never;
};

interface Extra {
  readonly short?: string;
}

const word = (text: string): string => text;
const more =
  <T>(parse: (text: string) => T) =>
  (text: string, before: readonly T[] | undefined): readonly T[] => [...(before ?? []), parse(text)];
const oneOf =
  <const C extends string>(choices: readonly C[]) =>
  (text: string): C => {
    const found = choices.find((choice) => choice === text);
    if (found === undefined) throw new InvalidArgumentError(`Allowed choices are ${choices.join(', ')}.`);
    return found;
  };
const wholeNumber = (text: string): number => {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
};

const decimal = (text: string): number => {
  if (!/^\d{1,10}(\.\d{1,3})?$/.test(text))
    throw new InvalidArgumentError('It must be a number with at most three decimals.');
  return Number(text);
};

const quotaIn =
  (parse: (text: string) => number) =>
  (text: string): number | 'unlimited' | 'default' =>
    text === 'default' || text === 'unlimited' ? text : parse(text);

/** Creates a required argument. */
export const argument = (help: string) => ({ help, required: true, many: false, parse: word }) as const;
export const choiceArgument = <const C extends string>(choices: readonly C[], help: string) =>
  ({ help, choices, required: true, many: false, parse: oneOf(choices) }) as const;
export const numberArgument = (help: string) => ({ help, required: true, many: false, parse: wholeNumber }) as const;
export const optionalArgument = (help: string) => ({ help, required: false, many: false, parse: word }) as const;
/** Creates the last argument, which takes all remaining words. */
export const restArguments = (help: string) => ({ help, required: false, many: true, parse: more(word) }) as const;

/** Creates an option `--name <placeholder>`. */
export const text = (placeholder: string, help: string, { short }: Extra = {}) =>
  ({ placeholder, help, short, required: false, many: false, parse: word }) as const;
export const texts = (placeholder: string, help: string, { short }: Extra = {}) =>
  ({ placeholder, help: `${help}; may be repeated`, short, required: false, many: true, parse: more(word) }) as const;
export const number = (placeholder: string, help: string, { short }: Extra = {}) =>
  ({ placeholder, help, short, required: false, many: false, parse: wholeNumber }) as const;
/** Creates an option for a quota: a number, `unlimited` or `default`. */
export const quotaNumber = (help: string) =>
  ({ placeholder: 'n', help, required: false, many: false, parse: quotaIn(wholeNumber) }) as const;
/** Creates the same with at most three decimals. */
export const quotaDecimal = (help: string) =>
  ({ placeholder: 'n', help, required: false, many: false, parse: quotaIn(decimal) }) as const;
export const choice = <const C extends string>(choices: readonly C[], help: string, { short }: Extra = {}) =>
  ({ placeholder: 'value', help, short, choices, required: false, many: false, parse: oneOf(choices) }) as const;
export const choicesOf = <const C extends string>(choices: readonly C[], help: string, { short }: Extra = {}) =>
  ({
    ...{ placeholder: 'value', help: `${help}; may be repeated`, short, choices },
    ...{ required: false, many: true, parse: more(oneOf(choices)) },
  }) as const;
/** Creates an option `--name` without a value. */
export const flag = (help: string, { short }: Extra = {}) =>
  ({ help, short, required: false, many: false, parse: () => true }) as const;
/** Makes an option required. */
export const needed = <T>(option: Parameter<T>) => ({ ...option, required: true }) as const;

/** Creates a repeatable option for `name=value` pairs; a later pair replaces an earlier one with the same name. */
export const pairs = (placeholder: string, help: string, { short }: Extra = {}) =>
  ({
    ...{ placeholder, help: `${help}; may be repeated`, short, required: false, many: true },
    parse(given: string, before: Readonly<Record<string, string>> | undefined): Readonly<Record<string, string>> {
      const [, name, value] = /^([^=]+)=(.*)$/s.exec(given) ?? [];
      if (name === undefined || value === undefined)
        throw new InvalidArgumentError('It must have the form name=value.');
      return { ...before, [name]: value };
    },
  }) as const;
