import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { authorize } from './access/index.ts';
import { createBackground } from './background.ts';
import type { Config } from './config.ts';
import { type Foundation, type FoundationOverrides, layFoundation } from './foundation.ts';
import { waitingJobs } from './jobs/index.ts';
import { addConsole } from './platform/http/console-files.ts';
import { addDocsPage } from './platform/http/docs-page.ts';
import { createRoutes, unknownRoute } from './platform/http/route.ts';
import { createHttp } from './platform/http/server.ts';
import { createMetrics } from './platform/metrics.ts';
import { openTraces } from './platform/open-traces.ts';
import { ONE_LINE_QUEUES } from './platform/queue/due.ts';
import { VERSION } from './platform/version.ts';
import { addRoutes } from './routes.ts';
import { scimDialect } from './scim/index.ts';
import { createServices, type ServiceOverrides } from './services.ts';
import { waitingDeliveries } from './webhooks/index.ts';

/** What tests and demonstrations put in the place of the real thing. */
export interface Overrides extends FoundationOverrides, ServiceOverrides {
  /** False: nothing works in the background; `drain` does it on demand. */
  readonly background?: boolean;
}

export type Hub = Awaited<ReturnType<typeof createHub>>;

/** Puts the hub together; nothing listens or works until `start`. Throws where the database cannot be used. */
export async function createHub(config: Config, overrides: Overrides = {}) {
  const foundation = await layFoundation(config, overrides);
  return compose(config, overrides, foundation).catch(async (error: unknown) => {
    await foundation.database[Symbol.asyncDispose]();
    throw error;
  });
}

async function compose(config: Config, overrides: Overrides, foundation: Foundation) {
  const { clock, logger, database, schema } = foundation;
  let listening = '';
  const address = () => config.publicUrl ?? listening;
  const metrics = createMetrics();
  const traces = await openTraces(config.tracesUrl);
  const services = createServices(config, overrides, foundation, { metrics, traces, address });
  const background = createBackground(config, foundation, { services, metrics, traces, address });

  const app = await createHttp({
    // What the framework says below a warning is left out, never more than was asked for.
    logger: logger.child({}, { level: ['error', 'fatal', 'silent'].includes(logger.level) ? logger.level : 'warn' }),
    trustedProxies: config.trustedProxies,
    localOnly: config.developmentMode,
    dialects: [scimDialect],
    answered: metrics.request,
    traces,
  });
  const routes = createRoutes(app, {
    authenticate: services.accounts.authenticate,
    authorize,
    publicUrl: config.publicUrl,
    // In development mode only names of this machine get this far.
    hubUrl: (baseUrl) => config.publicUrl ?? (config.developmentMode ? baseUrl : listening),
  });
  const queues = { ...ONE_LINE_QUEUES, deliveries: waitingDeliveries, jobs: waitingJobs };
  let stopping = false;
  addRoutes(routes, {
    ...services.called,
    readMetrics: () => metrics.read({ database, clock, queues }),
    version: { version: VERSION, schema },
    async notReady() {
      if (stopping) return 'The hub is stopping';
      const answers = await sql`select 1`.execute(database.executor).then(
        () => true,
        () => false,
      );
      return answers ? undefined : 'The database does not answer';
    },
  });
  await addDocsPage(app);
  await addConsole(app);
  app.setNotFoundHandler((request) => {
    throw unknownRoute(routes, request.method, request.url.split('?')[0] ?? '');
  });

  return {
    database,

    /** Makes the first site administrator where there is none; answers the token when it was made here. */
    async prepare(): Promise<string | undefined> {
      const token = await services.accounts.ensureSiteAdmin(config.adminToken);
      return config.adminToken === undefined ? token : undefined;
    },

    /** Listens and works; answers the address. */
    async start(): Promise<string> {
      // The lock on the folder proves that nobody else works: whatever is leased was leased by a process that died.
      if (database.engine === 'sqlite') await background.takeBack();
      await background.schedule();
      await app.listen({ host: config.host, port: config.port });
      if (overrides.background !== false) background.start();
      const { port } = app.server.address() as AddressInfo;
      listening = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`;
      return listening;
    },

    /** Runs relay, deliveries, tasks and mails until nothing is due. */
    drain: () => background.drain(),

    /** Answers what was asked, finishes what is in flight, hands the rest back, and closes. */
    async stop(): Promise<void> {
      stopping = true;
      background.stop();
      services.called.notificationStreams.close();
      services.called.jobStreams.close();
      services.called.webhookStreams.stop();
      await app.close();
      await background.finish();
      await services.outbound[Symbol.asyncDispose]();
      await traces.stop();
      await database[Symbol.asyncDispose]();
    },
  };
}
