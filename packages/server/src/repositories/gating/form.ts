import { badRequest } from '../../platform/http/errors.ts';
import { isObject } from '../../platform/typed-objects.ts';

/*
 * The form of a gated repository, as the metadata of its card declares it (B§6): `extra_gated_fields` maps the label of a
 * field to its type, or to an object with the type and the options.
 */

type FieldType = 'text' | 'checkbox' | 'date_picker' | 'country' | 'select';

interface FormField {
  readonly name: string;
  readonly type: FieldType;
  /** The values of a `select`. */
  readonly options: readonly string[];
}

export type Answers = Readonly<Record<string, string | boolean>>;

const TYPES: readonly FieldType[] = ['text', 'checkbox', 'date_picker', 'country', 'select'];
const MAX_FIELDS = 50;
const MAX_NAME = 200;
const MAX_ANSWER = 1000;
const DATE = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;
const YES: readonly unknown[] = [true, 'true', 'on', '1', 'yes'];

/** Returns the fields of a card; what is not a field as declared is left out, as nobody could fill it in. */
export function formOf(card: unknown): FormField[] {
  const declared = isObject(card) ? card.extra_gated_fields : undefined;
  if (!isObject(declared)) return [];
  return Object.entries(declared)
    .flatMap(([name, value]) => {
      const given = isObject(value) ? value.type : value;
      const type = TYPES.find((known) => known === given);
      const options = isObject(value) && Array.isArray(value.options) ? value.options.flatMap(optionOf) : [];
      return type === undefined || name.length > MAX_NAME ? [] : [{ name, type, options }];
    })
    .slice(0, MAX_FIELDS);
}

/** An option is a value, or an object with a `value` beside its label. */
function optionOf(option: unknown): string[] {
  const value = isObject(option) ? option.value : option;
  return typeof value === 'string' || typeof value === 'number' ? [String(value)] : [];
}

/** Returns the answers to the fields of a form; others are ignored. Throws 400 naming what is missing or wrong. */
export function answersTo(form: readonly FormField[], given: Readonly<Record<string, unknown>>): Answers | undefined {
  if (form.length === 0) return undefined;
  const issues: { path: string; message: string }[] = [];
  const answers = new Map<string, string | boolean>();
  for (const field of form) {
    const answer = answerTo(field, Object.hasOwn(given, field.name) ? given[field.name] : undefined);
    if (answer.fault === undefined) answers.set(field.name, answer.value);
    else issues.push({ path: `body.${field.name}`, message: answer.fault });
  }
  const [first] = issues;
  if (first) throw badRequest(`${first.path}: ${first.message}`, issues);
  return Object.fromEntries(answers);
}

type Answered = { readonly value: string | boolean; readonly fault?: undefined } | { readonly fault: string };

function answerTo({ type, options }: FormField, given: unknown): Answered {
  if (type === 'checkbox') return YES.includes(given) ? { value: true } : { fault: 'must be checked' };
  const text = typeof given === 'string' ? given.trim() : '';
  if (text === '') return { fault: 'is needed' };
  if (text.length > MAX_ANSWER) return { fault: `must have at most ${MAX_ANSWER} characters` };
  if (type === 'date_picker' && !DATE.test(text)) return { fault: 'must be a date: YYYY-MM-DD' };
  if (type === 'select' && !options.includes(text)) return { fault: `must be one of: ${options.join(', ')}` };
  return { value: text };
}
