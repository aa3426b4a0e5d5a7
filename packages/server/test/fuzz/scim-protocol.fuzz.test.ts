import { afterAll, test } from 'vitest';
import { fuzzBodies, fuzzFilters, fuzzUserPatches, type Outcomes } from './scim-protocol.ts';

/** Ten runs replace one generated request, since these runs only call functions. */
const RUNS = 10 * Number(process.env.MOONBASE_FUZZ_RUNS ?? 1000);
const seen: Record<string, Outcomes> = {};

test.each([
  ['filters', fuzzFilters],
  ['patches of users', fuzzUserPatches],
  ['bodies', fuzzBodies],
])(`${RUNS} generated %s of SCIM are accepted or refused`, (what, fuzz) => {
  seen[what] = fuzz(RUNS);
});

afterAll(() => console.table(seen));
