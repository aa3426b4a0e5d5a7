import { allRoutes } from '@moonbase/contract/routes';
import { expect, test } from 'vitest';
import { fuzzRoute } from './fuzz-route.ts';

test.each(allRoutes)('$id takes or refuses each of 100 generated requests', { timeout: 60_000 }, async (route) => {
  const statuses = await fuzzRoute(route, 100);
  expect(Object.keys(statuses).some((status) => Number(status) < 400)).toBe(true);
});
