import type { FastifyInstance, FastifyRequest } from 'fastify';
import { addressBlock } from '../../limits/address-block.ts';
import { type Bucket, WINDOW_SECONDS } from '../../limits/quotas.ts';
import type { RateLimits } from '../../limits/rate-limits.ts';
import type { UnknownTokens } from '../../limits/unknown-tokens.ts';
import type { AuthenticationLog } from '../../logging/authentication-log.ts';
import type { Authenticate, Principal } from '../authenticate.ts';
import { credentialOf } from '../credential.ts';
import { type HubError, tooManyRequests } from '../errors.ts';
import { routeOf } from '../routing/matched-route.ts';

interface Ports {
  readonly authenticate: Authenticate;
  /** The configured public URL of the hub. */
  readonly publicUrl: string | undefined;
  /** Absent if rate limits are off. */
  readonly limits: RateLimits | undefined;
  /** Returns another error than 429 for a route (given by its declared path) whose clients do not understand 429. */
  readonly tooManyAt?: (path: string, message: string) => HubError | undefined;
  /** Absent if the hub accepts local requests only. */
  readonly unknownTokens: UnknownTokens | undefined;
  readonly log: AuthenticationLog;
}

export interface Admission {
  /** Looks up the caller of a request now. Throws 429 if the address has sent too many unknown tokens. */
  readonly lookUp: (request: FastifyRequest) => Promise<Principal | undefined>;
  /** Returns whether a request has credentials of any kind, valid or not. */
  readonly hasCredentials: (request: FastifyRequest) => boolean;
  /** Returns the caller as of the arrival of the request; the look-up happens once. */
  readonly principalOf: (request: FastifyRequest) => Promise<Principal | undefined>;
  /** Returns the caller if a look-up has found one already. */
  readonly foundFor: (request: FastifyRequest) => Principal | undefined;
  /** Counts an unknown token, wherever a request had it. Throws 429 if its address has sent too many. */
  readonly countUnknown: (address: string, token: string) => void;
}

/** Authenticates callers and applies rate limits, before routing and before the body is read. */
export function addAdmission(
  app: FastifyInstance,
  { authenticate, publicUrl, limits, tooManyAt, unknownTokens, log }: Ports,
): Admission {
  const principals = new WeakMap<FastifyRequest, Promise<Principal | undefined>>();
  const found = new WeakMap<FastifyRequest, Principal>();

  const credentialIn = (request: FastifyRequest) =>
    credentialOf(request, publicUrl ?? `${request.protocol}://${request.host}`);

  // A header that is no token at all is a wrong one.
  const hasCredentials = (request: FastifyRequest): boolean =>
    request.headers.authorization !== undefined || credentialIn(request) !== undefined;

  function countUnknown(address: string, token: string): void {
    const wait = unknownTokens?.count(addressBlock(address), token);
    if (wait !== undefined) throw tooManyRequests('Too many unknown access tokens came from your address', wait);
  }

  async function lookUp(request: FastifyRequest): Promise<Principal | undefined> {
    const credential = credentialIn(request);
    if (credential === undefined) return undefined;
    const principal = await authenticate(credential);
    if (principal) found.set(request, principal);
    if (principal || credential.kind !== 'token') return principal;
    const { ip: address, id: requestId } = request;
    const reason = 'unknown, expired or revoked';
    log.refused({ address, requestId }, { method: 'token', reason, token: LAST4.exec(credential.text)?.[1] });
    countUnknown(address, credential.text);
    return undefined;
  }

  function principalOf(request: FastifyRequest): Promise<Principal | undefined> {
    const known = principals.get(request) ?? lookUp(request);
    principals.set(request, known);
    return known;
  }

  if (limits)
    app.addHook('onRequest', async (request, reply) => {
      const path = routeOf(request)?.path ?? request.routeOptions.url;
      const bucket = bucketOf(path);
      if (!bucket) return;
      const principal = hasOwnTokens(path) ? undefined : await principalOf(request);
      const requester = principal ? { userId: principal.userId } : { address: addressBlock(request.ip) };
      const { admitted, quota, left, reset } = await limits.take(bucket, requester);
      reply.header('ratelimit', `"${bucket}";r=${left};t=${reset}`);
      reply.header('ratelimit-policy', `"fixed window";"${bucket}";q=${quota};w=${WINDOW_SECONDS}`);
      if (admitted) return;
      const message = `Too many requests: the limit of "${bucket}" is ${quota} in ${WINDOW_SECONDS} seconds`;
      throw tooManyAt?.(path ?? '', message) ?? tooManyRequests(message, reset);
    });

  return { lookUp, hasCredentials, principalOf, foundFor: (request) => found.get(request), countUnknown };
}

/** The last four characters of a text that is an access token: anything else may be a password. */
const LAST4 = /^hf_\w{12,}(\w{4})$/;

/** Probes and metrics are exempt from rate limits. */
const EXEMPT_ROUTES = new Set(['/health', '/ready', '/metrics']);

/** Declared paths that serve files, or that clients of git ask often. */
const FILES =
  /^\/(avatars|assets|cas|api\/large-files|api\/resolve-cache)\/|\}\/(resolve|raw|git-upload-pack|git-receive-pack|info\/refs)\b|\/info\/lfs\//;

/** Returns the rate limit that applies to a declared path; undefined stands for no route. */
function bucketOf(path: string | undefined): Bucket | undefined {
  if (path === undefined) return 'api';
  if (FILES.test(path)) return 'resolvers';
  if (path.startsWith('/api/') || path.startsWith('/.well-known/')) return 'api';
  return EXEMPT_ROUTES.has(path) ? undefined : 'pages';
}

/** The routes of OAuth whose header `Authorization` names an application. */
const OF_APPLICATIONS: ReadonlySet<string | undefined> = new Set(['/oauth/device', '/oauth/token', '/oauth/revoke']);

/** Returns whether a route checks tokens or secrets of its own, which are no access tokens. */
const hasOwnTokens = (path: string | undefined): boolean =>
  OF_APPLICATIONS.has(path) || (path?.startsWith('/cas/') ?? false);
