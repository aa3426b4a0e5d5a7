import { THEMES } from '@moonbase/contract/repositories/collections';

export const MAX_COLLECTIONS = 1000;
export const MAX_ITEMS = 1000;
/** The items of a collection in a list. */
export const LISTED_ITEMS = 4;

/** Returns a title in the form of URLs: lower-case letters and digits without accents, and hyphens. */
export const slugOf = (title: string): string =>
  title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

/** Returns the id at the end of a slug, or that a text consists of. */
export const idIn = (slug: string): string | undefined => /(?:^|[-/])([0-9a-f]{24})$/.exec(slug.toLowerCase())?.[1];

/** Returns the theme of a new collection. */
export const themeOf = (id: string) => THEMES[Number.parseInt(id.slice(-4), 16) % THEMES.length] ?? 'orange';

/** Moves an element to a position, at most to the end. */
export function moved<T>(all: readonly T[], element: T, position: number): T[] {
  const rest = all.filter((each) => each !== element);
  rest.splice(position, 0, element);
  return rest;
}

const HALF_LIFE_MS = 3 * 24 * 60 * 60 * 1000;
const MILLIONTHS = 1_000_000;

/** The logarithm of an upvote's weight, which doubles with every half-life. */
const weightAt = (at: number): number => (at / HALF_LIFE_MS) * Math.LN2;

/**
 * Returns the trending score with one more upvote: the logarithm of the sum of all weights. Scores stay in order while time
 * passes, since all upvotes lose weight alike.
 */
export function scoreWith(score: number, at: number): number {
  const [one, other] = [score / MILLIONTHS, weightAt(at)];
  return Math.round((Math.max(one, other) + Math.log1p(Math.exp(-Math.abs(one - other)))) * MILLIONTHS);
}

/** Returns the trending score without an upvote; at least 0. */
export function scoreWithout(score: number, at: number): number {
  const rest = -Math.expm1(weightAt(at) - score / MILLIONTHS);
  return rest > 0 ? Math.max(0, Math.round(score + Math.log(rest) * MILLIONTHS)) : 0;
}
