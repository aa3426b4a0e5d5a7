import type { RouteDeclaration } from '@moonbase/contract/route';
import { afterAll, expect, test } from 'vitest';
import { fuzzRoute, type Statuses } from './fuzz-route.ts';

const RUNS = Number(process.env.MOONBASE_FUZZ_RUNS ?? 1000);

export const isOfOrganization = ({ path }: RouteDeclaration): boolean => path.startsWith('/api/organizations/');

/**
 * Taken only where fields fit each other, such as a size and a hash, which none of a hundred requests brings about, or
 * where an OpenID provider answers, of which these hubs have none.
 */
const RARELY_TAKEN = new Set([
  'beginSingleSignOn',
  'endProviderSessions',
  'exchangeForTokens',
  'finishSingleSignOn',
  'linkIdentity',
  'putLargeFile',
  'verifyLfsUpload',
  'verifyLfsUploadOfType',
]);

/** A test for each route, and at the end a table of what was answered. */
export function fuzzRoutes(routes: readonly RouteDeclaration[]): void {
  const seen: Record<string, Statuses> = {};
  test.each(routes)(`$id takes or refuses each of ${RUNS} generated requests`, async (route) => {
    seen[route.id] = await fuzzRoute(route, RUNS);
  });
  afterAll(() => console.table(seen));
}

/** How many requests a route gets in every run of the tests: more where none of the first was taken. */
const TRIES = [50, 100, 200];

/** The same in short, for every run of the tests: some of the requests are taken. */
export function tryRoutes(routes: readonly RouteDeclaration[]): void {
  test.each(routes)(`$id takes or refuses each of ${TRIES[0]} generated requests, and takes some`, async (route) => {
    const isTaken = (statuses: Statuses) => Object.keys(statuses).some((status) => Number(status) < 400);
    let taken = false;
    for (const runs of TRIES) {
      taken = isTaken(await fuzzRoute(route, runs)) || RARELY_TAKEN.has(route.id);
      if (taken) break;
    }
    expect(taken).toBe(true);
  });
}
