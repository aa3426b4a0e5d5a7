import type { z } from 'zod';

/**
 * Returns a message that says what to change, for issues whose schema has no message of its own; it never repeats the
 * value.
 */
export function explainIssue(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : `must be ${TYPES[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return `must ${bound(issue.origin, issue.inclusive === false ? 'more than' : 'at least', issue.minimum)}`;
    case 'too_big':
      return `must ${bound(issue.origin, issue.inclusive === false ? 'less than' : 'at most', issue.maximum)}`;
    case 'invalid_format':
      return `must be ${FORMATS[issue.format] ?? (issue.pattern ? `of the form ${issue.pattern}` : 'well formed')}`;
    case 'unrecognized_keys':
      return `must not have other keys: ${issue.keys.join(', ').slice(0, 200)}`;
    case 'invalid_key':
      return 'has a key that is not allowed';
    case 'invalid_union':
      return 'matches none of the allowed forms';
    case 'custom':
    case 'invalid_element':
    case 'not_multiple_of':
      return undefined;
  }
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

const FORMATS: Readonly<Record<string, string>> = {
  url: 'a URL, such as https://example.com',
  email: 'an e-mail address',
  datetime: 'a UTC date-time, such as 2026-01-31T12:00:00Z',
};

function bound(origin: string, words: string, limit: number | bigint): string {
  switch (origin) {
    case 'string':
      return `have ${words} ${limit} ${limit === 1 ? 'character' : 'characters'}`;
    case 'array':
      return `have ${words} ${limit} ${limit === 1 ? 'item' : 'items'}`;
    default:
      return `be ${words} ${limit}`;
  }
}
