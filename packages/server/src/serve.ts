import { setFlagsFromString } from 'node:v8';
import { listenFault } from './config/starting/start-faults.ts';
import { type Log, logFailure, logSettings, openLog } from './config/starting/start-log.ts';
import { type Config, readConfig } from './config.ts';
import { createHub, type Hub } from './hub.ts';
import { openInfrastructure } from './infrastructure.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Lets the heap grow by half of what a full collection leaves until the next one; by itself V8 lets it become four times as large. */
export const HEAP_OPTION = '--heap-growing-percent=50';

/**
 * Runs the hub that the environment describes until a signal ends it; the only code that handles signals. Throws if it
 * cannot start or shut down cleanly.
 */
export async function serve(environment: Environment): Promise<void> {
  const config = readConfig(environment);
  setFlagsFromString(HEAP_OPTION);
  const log = openLog(config);
  const onUncaught = (err: Error, origin: string) =>
    log.fatal({ err, origin }, 'an error that nothing caught ends the process');
  process.on('uncaughtExceptionMonitor', onUncaught);
  try {
    await run(config, log);
  } catch (error) {
    logFailure(log, error);
    throw error;
  } finally {
    process.off('uncaughtExceptionMonitor', onUncaught);
  }
}

async function run(config: Config, log: Log): Promise<void> {
  logSettings(log, config);
  const begunAt = performance.now();
  const hub = await createHub(config, { logger: log });
  const { first, isForeign, published, address } = await startOrStop(hub, config);
  for (const user of published)
    log.warn({ user }, 'a user has an access token that stands in the documentation: delete it');
  if (isForeign) log.warn(FOREIGN_ADMIN_TOKEN);
  const { developmentMode } = config;
  void tellOutsideFaults(hub, log);
  log.info({ address, schema: hub.schema, developmentMode, ms: since(begunAt) }, 'the hub has started');

  const stopped = new Promise<void>((resolve, reject) => {
    const stop = (signal: NodeJS.Signals) => {
      // A second signal ends the process at once, as without a handler.
      for (const name of SIGNALS) process.removeListener(name, stop);
      log.info({ signal, drainSeconds: config.drainSeconds }, 'the hub stops: it finishes what is in flight');
      const at = performance.now();
      hub
        .stop(config.drainSeconds * 1000)
        .then(() => log.info({ ms: since(at) }, 'the hub has stopped'))
        .then(resolve, reject);
    };
    for (const name of SIGNALS) process.on(name, stop);
  });

  // Printed last, because a reader may end the process as soon as it sees this.
  const notes = [
    ...(config.role === 'all' ? [] : [config.role]),
    ...(config.developmentMode ? ['development mode'] : []),
  ];
  console.log(`Moonbase is listening on ${address}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}`);
  if (first?.setupCode !== undefined) console.log(`Set up the hub at ${hub.linkUrl(first.setupCode)}`);
  if (first?.newToken !== undefined) console.log(`Access token of the user admin, shown this once: ${first.newToken}`);
  await stopped;
}

/** Tells the log which services outside cannot be used; the hub starts without them. */
async function tellOutsideFaults(hub: Hub, log: Log): Promise<void> {
  for (const fault of await hub.outsideFaults()) log.warn(fault);
}

const FOREIGN_ADMIN_TOKEN =
  'MOONBASE_ADMIN_TOKEN has no effect: this database has a site administrator, whose token it is not; make a token with "moonbase admin token --user NAME"';

const since = (at: number): number => Math.round(performance.now() - at);

/** Migrates the database of the environment, and returns its newest migration. */
export async function migrateDatabase(environment: Environment): Promise<{ readonly schema: string }> {
  const { database, schema } = await openInfrastructure(readConfig(environment), {});
  await database[Symbol.asyncDispose]();
  return { schema };
}

async function startOrStop(hub: Hub, config: Config) {
  try {
    const first = await hub.prepare();
    const isForeign = await hub.hasForeignAdminToken();
    return { first, isForeign, published: await hub.holdersOfPublishedTokens(), address: await hub.start() };
  } catch (error) {
    await hub.stop();
    throw listenFault(error, config);
  }
}
