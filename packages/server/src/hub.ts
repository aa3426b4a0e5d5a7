import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type BackgroundOverrides, createBackground } from './background.ts';
import type { Config } from './config.ts';
import { createApp } from './http.ts';
import { type Infrastructure, type InfrastructureOverrides, openInfrastructure } from './infrastructure.ts';
import type { ConnectionLimits } from './platform/http/server/connection-limits.ts';
import { createMetrics } from './platform/metrics.ts';
import { openTraces } from './platform/open-traces.ts';
import { createServices, type ServiceOverrides } from './services.ts';

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
  const { database } = infrastructure;
  const serves = config.role !== 'worker';
  const works = config.role !== 'api';
  let stopping = false;
  let listening = '';
  const address = () => config.publicUrl ?? listening;
  const metrics = createMetrics();
  const traces = await openTraces(config.tracesUrl);
  const services = createServices(config, overrides, infrastructure, { metrics, traces, address });
  const background = createBackground(config, infrastructure, { services, metrics, traces, address }, overrides);
  const app = await createApp(config, infrastructure, {
    ...{ services, metrics, traces, serves, connectionLimits: overrides.connectionLimits },
    isShuttingDown: () => stopping,
    listening: () => listening,
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
