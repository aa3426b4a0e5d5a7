import type { RouteDeclaration } from '@moonbase/contract/route';
import { afterAll, test } from 'vitest';
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
