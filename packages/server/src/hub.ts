import { setTimeout as pause } from 'node:timers/promises';
import { type BackgroundOverrides, createBackground } from './background.ts';
import type { Config } from './config.ts';
import { createApp } from './http.ts';
import { type Infrastructure, type InfrastructureOverrides, isInMemory, openInfrastructure } from './infrastructure.ts';
import { createMetrics } from './metrics.ts';
import type { ConnectionLimits } from './platform/http/server/connection-limits.ts';
import { openTraces } from './platform/tracing/open-traces.ts';
import { createServices, type ServiceOverrides } from './services.ts';
import { linkUrl } from './sign-in/index.ts';

/** The replacements that tests and demonstrations use. */
export interface Overrides extends InfrastructureOverrides, ServiceOverrides, BackgroundOverrides {
  /** False: background work runs only on demand, by `drain`. */
  readonly background?: boolean;
  readonly connectionLimits?: Partial<ConnectionLimits>;
}

export type Hub = Awaited<ReturnType<typeof createHub>>;

/** Credentials that the operator gets once, at the first start. */
export interface FirstStart {
  /** The access token of the site administrator, if this start created it. */
  readonly newToken: string | undefined;
  /** The code of the link with which the site administrator sets name and password. */
  readonly setupCode: string | undefined;
}

/** Assembles the hub; nothing listens or works until `start`. Throws if the database cannot be used. */
export async function createHub(config: Config, overrides: Overrides = {}) {
  const infrastructure = await openInfrastructure(config, overrides);
  return compose(config, overrides, infrastructure).catch(async (error: unknown) => {
    await infrastructure.database[Symbol.asyncDispose]();
    throw error;
  });
}

async function compose(config: Config, overrides: Overrides, infrastructure: Infrastructure) {
  const { database } = infrastructure;
  const serves = config.role !== 'worker';
  const works = config.role !== 'api';
  let stopping = false;
  let listening = '';
  const address = () => config.publicUrl ?? listening;
  const metrics = createMetrics();
  const traces = await openTraces(config.tracesUrl, infrastructure);
  const services = createServices(config, overrides, infrastructure, { metrics, traces, address });
  const background = createBackground(config, infrastructure, { services, metrics, traces, address }, overrides);
  const app = await createApp(config, infrastructure, {
    ...{ services, metrics, traces, serves, connectionLimits: overrides.connectionLimits },
    isShuttingDown: () => stopping,
    listening: () => listening,
  });

  return {
    database,
    /** The name of the newest migration. */
    schema: infrastructure.schema,

    /** Creates the first site administrator if there is none; returns the credentials for the first sign-in. */
    async prepare(): Promise<FirstStart | undefined> {
      const admin = serves ? await services.accounts.ensureSiteAdmin(config.adminToken) : undefined;
      if (!admin) return undefined;
      const setupCode = await services.signIn.links.setup(admin.userId);
      return { newToken: config.adminToken === undefined ? admin.token : undefined, setupCode };
    },

    /** Returns the console page of a sign-in link; the hub must be listening. */
    linkUrl: (code: string): string => linkUrl(address(), code),

    /** Returns the users with a token that is published in the documentation. */
    holdersOfPublishedTokens: () => services.accounts.holdersOfPublishedTokens(),

    /** Returns whether the settings have a token for the site administrator that is none of this database. */
    hasForeignAdminToken: async (): Promise<boolean> =>
      config.adminToken !== undefined && !(await services.accounts.isTokenOfSiteAdmin(config.adminToken)),

    /** Returns a sentence for each service outside that the settings name and that cannot be used. */
    outsideFaults: () => services.outsideFaults(),

    /** Starts listening and working; returns the address. */
    async start(): Promise<string> {
      await services.beginContent();
      // The lock on the folder proves that no other process works: existing leases belong to processes that died.
      if (database.engine === 'sqlite') await background.takeBack();
      if (works) await background.begin();
      if (works) await background.schedule();
      if (works) void services.repairRefs(() => stopping);
      services.broadcast.start();
      await app.listen({ host: config.host, port: config.port });
      if (works && overrides.background !== false) background.start();
      const bound = app.server.address();
      if (bound === null || typeof bound === 'string') throw new Error('The hub listens at no port');
      const { port } = bound;
      listening = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`;
      return listening;
    },

    /** Runs relay, deliveries, tasks and mails until nothing is due. */
    drain: () => background.drain(),

    /**
     * Shuts down: reports that it is not ready and keeps serving for `afterMs`, until load balancers have noticed; then
     * finishes pending requests and work in flight, releases the rest, and closes.
     */
    async stop(afterMs = 0): Promise<void> {
      stopping = true;
      if (serves && afterMs > 0) await pause(afterMs);
      background.stop();
      services.closeStreams();
      await Promise.all([app.close(), background.finish()]);
      await services.broadcast.close();
      await services.markdown.close();
      await services.cards.close();
      await services.closeContent();
      await services.settleGit();
      await services.outbound[Symbol.asyncDispose]();
      await services.closeSignIn();
      await services.blobs[Symbol.asyncDispose]();
      await traces.stop();
      if (isInMemory(config)) await infrastructure.gitStore.deleteAll();
      await database[Symbol.asyncDispose]();
    },
  };
}
