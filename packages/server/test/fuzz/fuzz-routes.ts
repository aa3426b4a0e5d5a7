import type { RouteDeclaration } from '@moonbase/contract/route';
import { afterAll, expect, test } from 'vitest';
import { fuzzRoute, type Statuses } from './fuzz-route.ts';

const RUNS = Number(process.env.MOONBASE_FUZZ_RUNS ?? 1000);

export const isOfOrganization = ({ path }: RouteDeclaration): boolean => path.startsWith('/api/organizations/');

/**
 * The routes that rarely accept a request, because fields must match, such as a size and a hash, because they need a token
 * of their own, because an OpenID provider must answer, which these hubs lack, or because Spaces would have to run.
 */
const RARELY_TAKEN = new Set([
  // Seeded repositories are not gated.
  'askAccess',
  'askAccessOfType',
  'beginSingleSignOn',
  'cancelAccessRequest',
  'createMirror',
  'deleteSpaceStorage',
  'endProviderSessions',
  'exchangeForTokens',
  'findXetChunk',
  'finishSingleSignOn',
  'getUserAccessReport',
  'getUserAccessReportOfType',
  'getXetFileChanges',
  'getXetRange',
  'getXetReconstruction',
  'getXetReconstructions',
  'getXetReconstructionV2',
  'grantAccess',
  'handleAccessRequest',
  'handleAccessRequests',
  'getZeroGpuQuota',
  'linkIdentity',
  'listAccessRequests',
  'putLargeFile',
  'requestSpaceHardware',
  'requestSpaceStorage',
  'restartSpace',
  'setSpaceDevMode',
  'setSpaceSleepTime',
  'streamSpaceEvents',
  'streamSpaceMetrics',
  'uploadShard',
  'uploadShardWithProgress',
  'uploadXorb',
  'verifyLfsUpload',
  'verifyLfsUploadOfType',
]);

/** Defines a test for each route, and prints a table of the statuses at the end. */
export function fuzzRoutes(routes: readonly RouteDeclaration[]): void {
  const seen: Record<string, Statuses> = {};
  test.each(routes)(`$id accepts or refuses each of ${RUNS} generated requests`, async (route) => {
    seen[route.id] = await fuzzRoute(route, RUNS);
  });
  afterAll(() => console.table(seen));
}

/** The numbers of requests to a route in every run of the tests; the next number applies while none was accepted. */
const TRIES = [10, 50, 200];

/** Defines short tests for every run, in which some of the requests are accepted. */
export function tryRoutes(routes: readonly RouteDeclaration[]): void {
  test.each(routes)(
    `$id accepts or refuses each of ${TRIES[0]} generated requests, and accepts some`,
    async (route) => {
      const isTaken = (statuses: Statuses) => Object.keys(statuses).some((status) => Number(status) < 400);
      let taken = false;
      for (const runs of TRIES) {
        taken = isTaken(await fuzzRoute(route, runs)) || RARELY_TAKEN.has(route.id);
        if (taken) break;
      }
      expect(taken).toBe(true);
    },
  );
}
