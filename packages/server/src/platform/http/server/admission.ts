import type { FastifyInstance, FastifyRequest } from 'fastify';
import { addressBlock } from '../../limits/address-block.ts';
import { type Bucket, WINDOW_SECONDS } from '../../limits/quotas.ts';
import type { RateLimits } from '../../limits/rate-limits.ts';
import type { UnknownTokens } from '../../limits/unknown-tokens.ts';
import { type Authenticate, bearerToken, type Principal } from '../authenticate.ts';
import { HubError } from '../errors.ts';

interface Ports {
  readonly authenticate: Authenticate;
  /** Absent: no request is counted. */
  readonly limits: RateLimits | undefined;
  /** Absent where only this machine may ask. */
  readonly unknownTokens: UnknownTokens | undefined;
}

export interface Admission {
  /** Who holds the token of a request now. Throws 429 for an unknown one from an address that brought too many. */
  readonly lookUp: (request: FastifyRequest) => Promise<Principal | undefined>;
  /** The same as of when the request came: looked up once. */
  readonly principalOf: (request: FastifyRequest) => Promise<Principal | undefined>;
}

/** Who asks, and whether there is room for it: before any route, and before a body is read. */
export function addAdmission(app: FastifyInstance, { authenticate, limits, unknownTokens }: Ports): Admission {
  const principals = new WeakMap<FastifyRequest, Promise<Principal | undefined>>();

  async function lookUp({ ip, headers }: FastifyRequest): Promise<Principal | undefined> {
    const token = bearerToken(headers.authorization);
    if (token === undefined) return undefined;
    const principal = await authenticate(token);
    if (principal || !unknownTokens) return principal;
    const wait = unknownTokens.count(addressBlock(ip), token);
    if (wait !== undefined) throw tooMany('Too many unknown access tokens came from your address', wait);
    return undefined;
  }

  function principalOf(request: FastifyRequest): Promise<Principal | undefined> {
    const known = principals.get(request) ?? lookUp(request);
    principals.set(request, known);
    return known;
  }

  if (limits)
    app.addHook('onRequest', async (request, reply) => {
      const bucket = bucketOf(request.routeOptions.url);
      if (!bucket) return;
      const principal = await principalOf(request);
      const asker = principal ? { userId: principal.userId } : { address: addressBlock(request.ip) };
      const { admitted, quota, left, reset } = await limits.take(bucket, asker);
      reply.header('ratelimit', `"${bucket}";r=${left};t=${reset}`);
      reply.header('ratelimit-policy', `"fixed window";"${bucket}";q=${quota};w=${WINDOW_SECONDS}`);
      if (!admitted)
        throw tooMany(`Too many requests: ${quota} in ${WINDOW_SECONDS} seconds are the most of "${bucket}"`, reset);
    });

  return { lookUp, principalOf };
}

const tooMany = (message: string, seconds: number) =>
  new HubError(429, `${message}; try again in ${seconds} s`, { headers: { 'retry-after': String(seconds) } });

/** Who watches over the hub is not held up. */
const NOT_COUNTED = new Set(['/health', '/ready', '/metrics']);

/** What a request counts for, by the pattern of its route: a path can be written in many ways. */
function bucketOf(pattern: string | undefined): Bucket | undefined {
  if (pattern === undefined || pattern.startsWith('/api/') || pattern.startsWith('/.well-known/')) return 'api';
  if (NOT_COUNTED.has(pattern)) return undefined;
  return /^\/(avatars|assets|docs\/assets)\//.test(pattern) ? 'resolvers' : 'pages';
}
