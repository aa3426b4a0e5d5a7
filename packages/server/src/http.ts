import { sql } from 'kysely';
import { authorize, createTierOf } from './access/index.ts';
import { createHubStatus } from './admin/index.ts';
import type { Config } from './config.ts';
import type { Infrastructure } from './infrastructure.ts';
import { waitingJobs } from './jobs/index.ts';
import { addConsole } from './platform/http/console-files.ts';
import { addDocsPage } from './platform/http/docs-page.ts';
import { notFound } from './platform/http/errors.ts';
import { createRoutes, unknownRoute } from './platform/http/route.ts';
import { addAdmission } from './platform/http/server/admission.ts';
import type { ConnectionLimits } from './platform/http/server/connection-limits.ts';
import { createHttp } from './platform/http/server/server.ts';
import { createRateLimits } from './platform/limits/rate-limits.ts';
import { createReservations } from './platform/limits/reservations.ts';
import { createUnknownTokens } from './platform/limits/unknown-tokens.ts';
import type { Metrics } from './platform/metrics.ts';
import { ONE_LINE_QUEUES } from './platform/queue/due.ts';
import type { Traces } from './platform/traces.ts';
import { VERSION } from './platform/version.ts';
import { addProbes, addRoutes, PROBES } from './routes.ts';
import { scimResponseFormat } from './scim/index.ts';
import type { Services } from './services.ts';
import { waitingDeliveries } from './webhooks/index.ts';

interface Parts {
  readonly services: Services;
  readonly metrics: Metrics;
  readonly traces: Traces;
  /** Whether this process answers more than probes. */
  readonly serves: boolean;
  readonly connectionLimits: Partial<ConnectionLimits> | undefined;
  readonly isShuttingDown: () => boolean;
  /** The address that it listens at. */
  readonly listening: () => string;
}

/** What answers over HTTP, put together: admission, probes, routes, the pages of the API and the console. */
export async function createApp(config: Config, infrastructure: Infrastructure, parts: Parts) {
  const { clock, logger, database, schema } = infrastructure;
  const { services, metrics, traces, serves, connectionLimits, isShuttingDown, listening } = parts;

  const app = await createHttp({
    // What the framework says below a warning is left out, never more than was asked for.
    logger: logger.child({}, { level: ['error', 'fatal', 'silent'].includes(logger.level) ? logger.level : 'warn' }),
    trustedProxies: config.trustedProxies,
    localOnly: config.developmentMode,
    responseFormats: [scimResponseFormat],
    publicUrl: config.publicUrl,
    connectionLimits,
    isShuttingDown,
    onResponse: metrics.request,
    traces,
  });
  const admission = addAdmission(app, {
    authenticate: services.accounts.authenticate,
    limits:
      config.rateLimits &&
      createRateLimits({
        ...{ clock, quotas: config.rateLimits, tierOf: createTierOf({ database }) },
        // The lock on the folder proves that no other process counts.
        reserve: database.engine === 'postgres' ? createReservations(database) : undefined,
        onFailure: (err) => logger.warn({ err }, 'requests are not counted: the database does not answer'),
      }),
    unknownTokens: config.developmentMode ? undefined : createUnknownTokens({ clock }),
  });
  const routes = createRoutes(app, {
    admission,
    authorize,
    callers: services.callers,
    publicUrl: config.publicUrl,
    // In development mode only names of this machine get this far.
    hubUrl: (baseUrl) => config.publicUrl ?? (config.developmentMode ? baseUrl : listening()),
  });
  const queues = { ...ONE_LINE_QUEUES, deliveries: waitingDeliveries, jobs: waitingJobs };
  const version = { version: VERSION, schema };
  addProbes(routes, {
    readMetrics: () => metrics.read({ database, clock, queues }),
    version,
    async notReady() {
      if (isShuttingDown()) return 'The hub is stopping';
      const answers = await sql`select 1`.execute(database.read).then(
        () => true,
        () => false,
      );
      return answers ? undefined : 'The database does not answer';
    },
  });
  if (serves) {
    addRoutes(routes, { ...services.api, readStatus: createHubStatus({ database, clock, queues, version }) });
    await addDocsPage(app);
    await addConsole(app);
  }
  const unknown = ({ method, url }: { method: string; url: string }) =>
    serves
      ? unknownRoute(routes, method, url.split('?')[0] ?? '')
      : notFound(`This process of the hub only works in the background; it answers at ${PROBES}`);
  // Before anything of the body counts, as its type does for methods that the framework knows and no route has.
  app.addHook('onRequest', async (request) => {
    if (request.is404) throw unknown(request);
  });
  // Where a route finds out by itself that there is nothing, as that of files does.
  app.setNotFoundHandler((request) => {
    throw unknown(request);
  });

  return app;
}
