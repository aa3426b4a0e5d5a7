import type { RouteDeclaration } from '@moonbase/contract/route';
import fc from 'fast-check';
import { exchange } from './exchange.ts';
import { fingerprint } from './fingerprint.ts';
import { requestsOf } from './generated-requests.ts';
import { startWorld, type World } from './world.ts';

/** The number of answers of each status. */
export type Statuses = Record<number, number>;

/** Returns the number of requests after which a hub is replaced, which is smaller for routes that delete. */
const requestsPerWorld = ({ id }: RouteDeclaration) => (/^(delete|hide|merge|move|apply)/.test(id) ? 50 : 100);
const SAMPLE_EVERY = 10;

const SEED = Number(process.env.MOONBASE_FUZZ_SEED ?? 20260105);

/**
 * Sends generated requests of one route; throws at the first bad answer, with the smallest such request, the seed and
 * the path. The same MOONBASE_FUZZ_SEED sends the same requests to hubs in the same state.
 */
export async function fuzzRoute(route: RouteDeclaration, runs: number): Promise<Statuses> {
  const statuses: Statuses = {};
  const sender = createSender(route);
  try {
    await fc.assert(
      fc.asyncProperty(requestsOf(route), async (request) => {
        const status = await sender.send(request);
        statuses[status] = (statuses[status] ?? 0) + 1;
      }),
      { seed: SEED, numRuns: runs },
    );
  } finally {
    await sender.end();
  }
  return statuses;
}

function createSender(route: RouteDeclaration) {
  const isChange = route.method !== 'GET';
  let world: World | undefined;
  let requests = 0;
  /** The visible state of the hub, until a request may have changed it. */
  let shown: string | undefined;

  async function end(): Promise<void> {
    await world?.[Symbol.asyncDispose]();
    world = undefined;
    shown = undefined;
  }

  return {
    end,

    /** Sends a request; after some refusals it checks that the state is unchanged. */
    async send(request: Parameters<typeof exchange>[2]): Promise<number> {
      if (requests % requestsPerWorld(route) === 0) await end();
      requests += 1;
      world ??= await startWorld(route);
      const sampled = isChange && requests % SAMPLE_EVERY === 0;
      if (sampled) shown ??= await fingerprint(world, route);
      const { status, summary } = await exchange(world, route, request);
      if (isChange && status < 400) shown = undefined;
      else if (sampled) {
        const after = await fingerprint(world, route);
        if (after !== shown) throw new Error(`${summary}: refused, but it changed something:\n${shown}\n${after}`);
      }
      return status;
    },
  };
}
