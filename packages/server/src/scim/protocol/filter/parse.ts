import { scimError } from '../errors.ts';
import type { Attribute, ResourceKind } from '../resources/attributes.ts';
import { type AttributePath, canonical, resolvePath } from './attribute-path.ts';
import type { Comparison, Filter } from './filter.ts';
import { type Literal, type Tokens, tokensOf } from './tokens.ts';
import { comparisonOf } from './value.ts';

const COMPARISONS = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const;
/** The maximum number of terms; no provider comes close, and SQLite limits the depth of expressions to 1,000. */
const MAX_TERMS = 50;
const DEEPEST = 40;

/** The attribute of a term; an attribute that is not stored never has a value. */
type Subject = AttributePath | { readonly notKept: string };

/**
 * Parses a filter (RFC 7644, 3.4.2.2). Beyond the grammar, accepts names and operators in any case, single quotes,
 * unquoted values, and `emails[type eq "work"].value eq "x"`. Throws `invalidFilter`.
 */
export function parseFilter(kind: ResourceKind, text: string): Filter {
  const tokens = tokensOf(text);
  const filter = createGrammar(kind, tokens).expression(0);
  return tokens.atEnd() ? filter : tokens.fail('`and`, `or` or end');
}

/** Parses the filter in brackets after an attribute; `text` is the part between the brackets. */
export function parseValueFilter(kind: ResourceKind, attribute: Attribute, text: string): Filter {
  const tokens = tokensOf(text);
  const filter = createGrammar(kind, tokens, attribute).expression(0);
  return tokens.atEnd() ? filter : tokens.fail('`and`, `or` or `]`');
}

/** Creates one function per grammar rule; within brackets, names are those of sub-attributes. */
function createGrammar(kind: ResourceKind, tokens: Tokens, outer?: Attribute) {
  let terms = 0;
  let within = outer;

  function list(op: 'and' | 'or', part: () => Filter): Filter {
    const filters = [part()];
    while (tokens.word(op)) filters.push(part());
    const [only] = filters;
    return filters.length === 1 && only ? only : { op, filters };
  }

  function expression(depth: number): Filter {
    if (depth > DEEPEST) throw scimError(400, `The filter is nested more than ${DEEPEST} levels deep`, 'invalidFilter');
    return list('or', () => list('and', () => factor(depth)));
  }

  function factor(depth: number): Filter {
    if (tokens.word('not')) {
      if (!tokens.symbol('(')) tokens.fail('`(` after `not`');
      return { op: 'not', filter: group(depth, ')') };
    }
    if (tokens.symbol('(')) return group(depth, ')');
    terms += 1;
    if (terms > MAX_TERMS) throw scimError(400, `The filter has more than ${MAX_TERMS} terms`, 'invalidFilter');
    const subject = subjectNamed(tokens.name());
    return tokens.symbol('[') ? valuePath(subject, depth) : term(subject);
  }

  function group(depth: number, end: string): Filter {
    const filter = expression(depth + 1);
    return tokens.symbol(end) ? filter : tokens.fail(`\`${end}\``);
  }

  function valuePath(subject: Subject, depth: number): Filter {
    const attribute = 'notKept' in subject ? UNKNOWN : subject.attribute;
    if (within || !attribute.multiValued || ('sub' in subject && subject.sub))
      tokens.fail('attribute with several values before `[`');
    within = attribute;
    const inside = group(depth, ']');
    // In `emails[type eq "work"].value eq "x"`, the comparison concerns the same value as the filter.
    const filter = tokens.symbol('.')
      ? { op: 'and' as const, filters: [inside, term(subjectNamed(tokens.name()))] }
      : inside;
    within = undefined;
    return { op: 'any', path: attribute.name, filter };
  }

  function subjectNamed(name: string): Subject {
    if (within === UNKNOWN) return { notKept: name };
    const path = within ? `${within.name}.${name}` : name;
    const found = resolvePath(kind, path) ?? unknown(path);
    return found === 'not-kept' ? { notKept: path.toLowerCase() } : found;
  }

  function term(subject: Subject): Filter {
    if (tokens.word('pr')) return 'notKept' in subject ? { op: 'pr', path: subject.notKept } : present(subject);
    const op =
      COMPARISONS.find((each) => tokens.word(each)) ?? tokens.fail('operator (eq, ne, co, sw, ew, gt, ge, lt, le, pr)');
    return comparison(op, subject, tokens.literal());
  }

  return { expression };
}

/** A placeholder for an unknown attribute before a bracket. */
// Only these two properties are read before the error is thrown.
const UNKNOWN = { name: '', multiValued: true } as Attribute;

function unknown(path: string): never {
  throw scimError(400, `The filter names ${path.slice(0, 100)}, which is not an attribute`, 'invalidFilter');
}

function comparison(op: Comparison, subject: Subject, literal: Literal): Filter {
  if ('notKept' in subject)
    return { op, path: subject.notKept, value: literal.text === 'null' && !literal.quoted ? null : literal.text };
  const target = comparable(subject);
  return comparisonOf(op, target.sub ?? target.attribute, canonical(target), literal);
}

/** A multi-valued attribute stands for its values (RFC 7644, 3.4.2.2, `emails co "example"`). */
function comparable(path: AttributePath): AttributePath {
  const { attribute, sub } = path;
  if (sub || attribute.type !== 'complex') return path;
  const value = attribute.subAttributes?.find(({ name }) => name === 'value');
  if (value) return { attribute, sub: value };
  throw scimError(
    400,
    `The filter compares ${attribute.name}, which has sub-attributes; name one of them`,
    'invalidFilter',
  );
}

/** A complex attribute is present if one of its parts is. */
function present({ attribute, sub }: AttributePath): Filter {
  if (sub || attribute.type !== 'complex' || attribute.multiValued)
    return { op: 'pr', path: canonical(sub ? { attribute, sub } : comparable({ attribute })) };
  const parts = attribute.subAttributes ?? [];
  return { op: 'or', filters: parts.map((part) => ({ op: 'pr', path: canonical({ attribute, sub: part }) })) };
}
