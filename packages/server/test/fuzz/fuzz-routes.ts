import type { RouteDeclaration } from '@moonbase/contract/route';
import { afterAll, expect, test } from 'vitest';
import { fuzzRoute, type Statuses } from './fuzz-route.ts';

const RUNS = Number(process.env.MOONBASE_FUZZ_RUNS ?? 1000);

export const isOfOrganization = ({ path }: RouteDeclaration): boolean => path.startsWith('/api/organizations/');

/** A test for each route, and at the end a table of what was answered. */
export function fuzzRoutes(routes: readonly RouteDeclaration[]): void {
  const seen: Record<string, Statuses> = {};
  test.each(routes)(`$id takes or refuses each of ${RUNS} generated requests`, async (route) => {
    seen[route.id] = await fuzzRoute(route, RUNS);
  });
  afterAll(() => console.table(seen));
}

/** The same in short, for every run of the tests: something of what is sent is taken. */
export function tryRoutes(routes: readonly RouteDeclaration[]): void {
  test.each(routes)('$id takes or refuses each of 100 generated requests', { timeout: 60_000 }, async (route) => {
    const statuses = await fuzzRoute(route, 100);
    expect(Object.keys(statuses).some((status) => Number(status) < 400)).toBe(true);
  });
}
