import { authorize, createTierOf, credentialsNeeded, errorForStrangers } from './access/index.ts';
import { createHubStatus, HUB_DOCUMENT } from './admin/index.ts';
import type { Config } from './config.ts';
import { gitResponseFormat } from './git/index.ts';
import { type Infrastructure, isInMemory } from './infrastructure.ts';
import { waitingJobs } from './jobs/index.ts';
import { lfsResponseFormat } from './lfs/index.ts';
import { MAILS } from './mail/index.ts';
import type { Metrics } from './metrics.ts';
import { waitingMirrors } from './mirrors/index.ts';
import { slowDownAt } from './oauth/index.ts';
import { isReachable, type ReadExecutor } from './platform/database/transaction.ts';
import { addConsole } from './platform/http/console-files.ts';
import { notFound } from './platform/http/errors.ts';
import { createRoutes, unknownRoute } from './platform/http/route.ts';
import { createDispatch } from './platform/http/routing/dispatch.ts';
import { createAccessLog } from './platform/http/server/access-log.ts';
import { addAdmission } from './platform/http/server/admission.ts';
import type { ConnectionLimits } from './platform/http/server/connection-limits.ts';
import { createHttp } from './platform/http/server/server.ts';
import { createRateLimits } from './platform/limits/rate-limits.ts';
import { createReservations } from './platform/limits/reservations.ts';
import { createUnknownTokens } from './platform/limits/unknown-tokens.ts';
import { createAuthenticationLog } from './platform/logging/authentication-log.ts';
import { EVENTS, stateOf, TASKS } from './platform/queue/due-store.ts';
import type { Queues } from './platform/queue/state.ts';
import type { Traces } from './platform/tracing/traces.ts';
import { keysOf } from './platform/typed-objects.ts';
import { VERSION } from './platform/version.ts';
import { shortNameError } from './repositories/index.ts';
import { addProbes, addRoutes, CONSOLE_PAGES, PROBES } from './routes.ts';
import { scimResponseFormat } from './scim/index.ts';
import type { Services } from './services.ts';
import { waitingDeliveries } from './webhooks/index.ts';

interface Parts {
  readonly services: Services;
  readonly metrics: Metrics;
  readonly traces: Traces;
  /** Whether this process serves more than probes. */
  readonly serves: boolean;
  readonly connectionLimits: Partial<ConnectionLimits> | undefined;
  readonly isShuttingDown: () => boolean;
  /** The address that the server listens on. */
  readonly listening: () => string;
}

/** Returns whether a log of this level has lines of the level `info`. */
const isInformed = (level: string): boolean => ['info', 'debug', 'trace'].includes(level);

/** Assembles the HTTP side: admission, probes, routes and the console. */
export async function createApp(config: Config, infrastructure: Infrastructure, parts: Parts) {
  const { clock, logger, database, schema } = infrastructure;
  const { services, metrics, traces, serves, connectionLimits, isShuttingDown, listening } = parts;

  const accessLog = createAccessLog({ logger, principalOf: (request) => admission.foundFor(request) });
  const app = await createHttp({
    // The framework logs warnings and errors only, and nothing below the configured level.
    logger: logger.child({}, { level: ['error', 'fatal', 'silent'].includes(logger.level) ? logger.level : 'warn' }),
    trustedProxies: config.trustedProxies,
    localOnly: config.developmentMode,
    responseFormats: [scimResponseFormat, lfsResponseFormat, gitResponseFormat],
    largeBody: HUB_DOCUMENT,
    publicUrl: config.publicUrl,
    connectionLimits,
    isShuttingDown,
    onResponse: metrics.request,
    traces,
    accessLog: config.accessLog && isInformed(logger.level) ? accessLog : undefined,
  });
  const admission = addAdmission(app, {
    authenticate: (credential) => services.authenticate(credential),
    publicUrl: config.publicUrl,
    limits:
      config.rateLimits &&
      createRateLimits({
        ...{ clock, quotas: config.rateLimits, tierOf: createTierOf({ database }) },
        // On SQLite, the lock on the folder proves that no other process counts requests.
        reserve: database.engine === 'postgres' ? createReservations(database) : undefined,
        onFailure: (err) => logger.warn({ err }, 'requests are not counted: the database does not answer'),
      }),
    tooManyAt: slowDownAt,
    unknownTokens: config.developmentMode ? undefined : createUnknownTokens({ clock }),
    log: createAuthenticationLog(logger),
  });
  const dispatch = createDispatch(app);
  const routes = createRoutes(dispatch, {
    ...{ clock, admission, authorize, credentialsNeeded, errorForStrangers },
    anonymousRead: config.anonymousRead,
    insteadOf: services.insteadOf,
    callers: services.callers,
    publicUrl: config.publicUrl,
    // In development mode, `requireDirect` has refused other host names before.
    hubUrl: (baseUrl) => config.publicUrl ?? (config.developmentMode ? baseUrl : listening()),
  });
  const rowQueues = [EVENTS, TASKS, MAILS].map((queue) => [
    queue.name,
    (executor: ReadExecutor) => stateOf(executor, queue),
  ]);
  const queues: Queues = {
    ...Object.fromEntries(rowQueues),
    ...{ deliveries: waitingDeliveries, jobs: waitingJobs, mirrors: waitingMirrors },
  };
  const version = { version: VERSION, schema };
  addProbes(routes, {
    readMetrics: () => metrics.read({ database, clock, queues, deadLetterQueues: keysOf(services.deadLetterQueues) }),
    version,
    async notReady() {
      if (isShuttingDown()) return 'The hub is stopping';
      return (await isReachable(database.read)) ? undefined : 'The database does not answer';
    },
  });
  if (serves) {
    const folder = isInMemory(config) ? undefined : config.dataDir;
    addRoutes(routes, { ...services.api, readStatus: createHubStatus({ database, clock, queues, folder, version }) });
    await addConsole(app, dispatch, CONSOLE_PAGES);
  }
  const unknown = ({ method, url }: { method: string; url: string }) => {
    if (!serves) return notFound(`This process of the hub only works in the background; it answers at ${PROBES}`);
    const [path = ''] = url.split('?');
    const isRoute = (other: string) => routes.methodsOf(other).includes(method === 'HEAD' ? 'GET' : method);
    return shortNameError(path, isRoute) ?? unknownRoute(routes, method, path);
  };
  // Runs before the body is examined; otherwise its type would matter for methods without a route.
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.is404) throw unknown(request);
    done();
  });
  // Routes with wildcards report a missing page this way.
  app.setNotFoundHandler((request) => {
    throw unknown(request);
  });

  return app;
}
