import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { authorize, createTierOf } from './access/index.ts';
import { createHubStatus } from './admin/index.ts';
import { type BackgroundOverrides, createBackground } from './background.ts';
import type { Config } from './config.ts';
import { type Infrastructure, type InfrastructureOverrides, openInfrastructure } from './infrastructure.ts';
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
import { createMetrics } from './platform/metrics.ts';
import { openTraces } from './platform/open-traces.ts';
import { ONE_LINE_QUEUES } from './platform/queue/due.ts';
import { VERSION } from './platform/version.ts';
import { addProbes, addRoutes, PROBES } from './routes.ts';
import { scimResponseFormat } from './scim/index.ts';
import { createServices, type ServiceOverrides } from './services.ts';
import { waitingDeliveries } from './webhooks/index.ts';

/** What tests and demonstrations put in the place of the real thing. */
export interface Overrides extends InfrastructureOverrides, ServiceOverrides, BackgroundOverrides {
  /** False: nothing works in the background; `drain` does it on demand. */
  readonly background?: boolean;
  readonly connectionLimits?: Partial<ConnectionLimits>;
}

export type Hub = Awaited<ReturnType<typeof createHub>>;

/** Puts the hub together; nothing listens or works until `start`. Throws where the database cannot be used. */
export async function createHub(config: Config, overrides: Overrides = {}) {
  const infrastructure = await openInfrastructure(config, overrides);
  return compose(config, overrides, infrastructure).catch(async (error: unknown) => {
    await infrastructure.database[Symbol.asyncDispose]();
    throw error;
  });
}

async function compose(config: Config, overrides: Overrides, infrastructure: Infrastructure) {
  const { clock, logger, database, schema } = infrastructure;
  const serves = config.role !== 'worker';
  const works = config.role !== 'api';
  let stopping = false;
  let listening = '';
  const address = () => config.publicUrl ?? listening;
  const metrics = createMetrics();
  const traces = await openTraces(config.tracesUrl);
  const services = createServices(config, overrides, infrastructure, { metrics, traces, address });
  const background = createBackground(config, infrastructure, { services, metrics, traces, address }, overrides);

  const app = await createHttp({
    // What the framework says below a warning is left out, never more than was asked for.
    logger: logger.child({}, { level: ['error', 'fatal', 'silent'].includes(logger.level) ? logger.level : 'warn' }),
    trustedProxies: config.trustedProxies,
    localOnly: config.developmentMode,
    responseFormats: [scimResponseFormat],
    publicUrl: config.publicUrl,
    connectionLimits: overrides.connectionLimits,
    isShuttingDown: () => stopping,
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
    hubUrl: (baseUrl) => config.publicUrl ?? (config.developmentMode ? baseUrl : listening),
  });
  const queues = { ...ONE_LINE_QUEUES, deliveries: waitingDeliveries, jobs: waitingJobs };
  const version = { version: VERSION, schema };
  addProbes(routes, {
    readMetrics: () => metrics.read({ database, clock, queues }),
    version,
    async notReady() {
      if (stopping) return 'The hub is stopping';
      const answers = await sql`select 1`.execute(database.executor).then(
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

  return {
    database,

    /** Makes the first site administrator where there is none; returns the token when it was made here. */
    async prepare(): Promise<string | undefined> {
      if (!serves) return undefined;
      const token = await services.accounts.ensureSiteAdmin(config.adminToken);
      return config.adminToken === undefined ? token : undefined;
    },

    /** The users who have a token that everybody can read in the documentation. */
    holdersOfPublishedTokens: () => services.accounts.holdersOfPublishedTokens(),

    /** Listens and works; returns the address. */
    async start(): Promise<string> {
      // The lock on the folder proves that nobody else works: whatever is leased was leased by a process that died.
      if (database.engine === 'sqlite') await background.takeBack();
      if (works) await background.begin();
      if (works) await background.schedule();
      services.broadcast.start();
      await app.listen({ host: config.host, port: config.port });
      if (works && overrides.background !== false) background.start();
      const { port } = app.server.address() as AddressInfo;
      listening = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`;
      return listening;
    },

    /** Runs relay, deliveries, tasks and mails until nothing is due. */
    drain: () => background.drain(),

    /**
     * Says that it is not ready and goes on for so long, until nobody asks any more who asks whether it is. Then answers
     * what was asked, finishes what is in flight, hands the rest back, and closes.
     */
    async stop(afterMs = 0): Promise<void> {
      stopping = true;
      if (serves && afterMs > 0) await pause(afterMs);
      background.stop();
      services.closeStreams();
      await Promise.all([app.close(), background.finish()]);
      await services.broadcast.close();
      await services.markdown.close();
      await services.outbound[Symbol.asyncDispose]();
      await traces.stop();
      await database[Symbol.asyncDispose]();
    },
  };
}
