import { allRoutes } from '@moonbase/contract/routes';
import { afterAll, test } from 'vitest';
import { fuzzRoute, type Statuses } from './fuzz-route.ts';

const RUNS = Number(process.env.MOONBASE_FUZZ_RUNS ?? 1000);
const seen: Record<string, Statuses> = {};

test.each(allRoutes)(`$id takes or refuses each of ${RUNS} generated requests`, async (route) => {
  seen[route.id] = await fuzzRoute(route, RUNS);
});

afterAll(() => console.table(seen));
