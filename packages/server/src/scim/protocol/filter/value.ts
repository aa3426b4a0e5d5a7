import { scimError } from '../errors.ts';
import type { Attribute } from '../resources/attributes.ts';
import type { Comparison, Filter, FilterValue } from './filter.ts';
import type { Literal } from './tokens.ts';

const DATE_TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/i;

/**
 * Returns the comparison with a literal, converted for the attribute. Throws `invalidFilter` if the attribute cannot
 * have such a value.
 */
export function comparisonOf(op: Comparison, attribute: Attribute, path: string, literal: Literal): Filter {
  const value = valueFor(attribute, path, literal);
  const possible = value === null || attribute.type === 'boolean' ? EQUALITY : POSSIBLE[attribute.type];
  if (possible && !possible.includes(op))
    throw scimError(400, `The filter cannot compare ${path} with this value by ${op}`, 'invalidFilter');
  return { op, path, value };
}

const EQUALITY: readonly Comparison[] = ['eq', 'ne'];
const POSSIBLE: Partial<Record<Attribute['type'], readonly Comparison[]>> = {
  dateTime: ['eq', 'ne', 'gt', 'ge', 'lt', 'le'],
};

function valueFor({ type }: Attribute, path: string, { text, quoted }: Literal): FilterValue {
  if (!quoted && text.toLowerCase() === 'null') return null;
  switch (type) {
    case 'boolean': {
      const word = text.toLowerCase();
      if (word === 'true' || word === 'false') return word === 'true';
      throw scimError(400, `The filter compares ${path} with a value that is neither true nor false`, 'invalidFilter');
    }
    case 'dateTime': {
      const time = DATE_TIME.test(text) ? Date.parse(text.toUpperCase()) : Number.NaN;
      if (Number.isNaN(time))
        throw scimError(400, `The filter compares ${path} with a value that is not a date-time`, 'invalidFilter');
      return new Date(time).toISOString();
    }
    case 'string':
    case 'reference':
    case 'complex':
      return text;
  }
}
