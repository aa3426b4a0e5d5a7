import { InvalidArgumentError } from 'commander';

/** An argument or an option of a command, and how its text becomes a value. */
export interface Parameter<T> {
  /** What stands in `<…>`; absent for a flag. */
  readonly placeholder?: string | undefined;
  readonly help: string;
  /** One letter: `q` for `-q`. */
  readonly short?: string | undefined;
  readonly choices?: readonly string[] | undefined;
  readonly required: boolean;
  /** May be given again. */
  readonly many: boolean;
  readonly parse: (text: string, before: unknown) => T;
}

export type Parameters = Readonly<Record<string, Parameter<unknown>>>;

/** The values of parameters, by their names; undefined for what was left out. */
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
const more = <T>(parse: (text: string) => T) => {
  return (text: string, before: unknown): readonly T[] => [
    ...(Array.isArray(before) ? (before as T[]) : []),
    parse(text),
  ];
};
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

/** An argument that has to be there. */
export const argument = (help: string) => ({ help, required: true, many: false, parse: word }) as const;
export const choiceArgument = <const C extends string>(choices: readonly C[], help: string) =>
  ({ help, choices, required: true, many: false, parse: oneOf(choices) }) as const;
export const numberArgument = (help: string) => ({ help, required: true, many: false, parse: wholeNumber }) as const;
export const optionalArgument = (help: string) => ({ help, required: false, many: false, parse: word }) as const;
/** All that follows; the last argument. */
export const restArguments = (help: string) => ({ help, required: false, many: true, parse: more(word) }) as const;

/** `--name <placeholder>`. */
export const text = (placeholder: string, help: string, { short }: Extra = {}) =>
  ({ placeholder, help, short, required: false, many: false, parse: word }) as const;
export const texts = (placeholder: string, help: string, { short }: Extra = {}) =>
  ({ placeholder, help: `${help}; may be repeated`, short, required: false, many: true, parse: more(word) }) as const;
export const number = (placeholder: string, help: string, { short }: Extra = {}) =>
  ({ placeholder, help, short, required: false, many: false, parse: wholeNumber }) as const;
export const choice = <const C extends string>(choices: readonly C[], help: string, { short }: Extra = {}) =>
  ({ placeholder: 'which', help, short, choices, required: false, many: false, parse: oneOf(choices) }) as const;
export const choicesOf = <const C extends string>(choices: readonly C[], help: string, { short }: Extra = {}) =>
  ({
    ...{ placeholder: 'which', help: `${help}; may be repeated`, short, choices },
    ...{ required: false, many: true, parse: more(oneOf(choices)) },
  }) as const;
/** `--name`, without a value. */
export const flag = (help: string, { short }: Extra = {}) =>
  ({ help, short, required: false, many: false, parse: () => true }) as const;
/** An option that has to be there. */
export const needed = <T>(option: Parameter<T>) => ({ ...option, required: true }) as const;

/** A label, `name=value`, of which there may be many; a later one replaces an earlier one. */
export const pairs = (placeholder: string, help: string, { short }: Extra = {}) =>
  ({
    ...{ placeholder, help: `${help}; may be repeated`, short, required: false, many: true },
    parse(given: string, before: unknown): Readonly<Record<string, string>> {
      const [, name, value] = /^([^=]+)=(.*)$/s.exec(given) ?? [];
      if (name === undefined || value === undefined)
        throw new InvalidArgumentError('It must be a name, = and a value.');
      return { ...(before as Record<string, string> | undefined), [name]: value };
    },
  }) as const;
