import { type Config, readConfig } from './config.ts';
import { createHub, type Hub } from './hub.ts';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Starts the hub of this process; the only place that handles signals. */
async function main(): Promise<void> {
  const config = readConfig();
  for (const warning of config.warnings) console.error(`Warning: ${warning}`);
  if (!config.mail) console.error('Mail is off: MOONBASE_SMTP_URL is not set');
  const hub = await createHub(config);
  const { newToken, address } = await startOrStop(hub, config);

  const stop = (signal: NodeJS.Signals) => {
    // A second signal ends the process at once, as it does without a handler.
    for (const name of SIGNALS) process.removeListener(name, stop);
    console.error(`${signal}: finishing what is in flight`);
    hub.stop().catch(fail);
  };
  for (const name of SIGNALS) process.on(name, stop);

  // Said last: whoever reads it may end the process at once.
  console.log(`Moonbase is listening on ${address}${config.developmentMode ? ' (development mode)' : ''}`);
  if (newToken !== undefined) console.log(`Access token of the user admin, shown this once: ${newToken}`);
}

async function startOrStop(hub: Hub, { host, port }: Config) {
  try {
    return { newToken: await hub.prepare(), address: await hub.start() };
  } catch (error) {
    await hub.stop();
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new Error(
      `Port ${port} of ${host} is in use. Stop what uses it, or set MOONBASE_PORT (0 takes any free one).`,
    );
  }
}

function fail(error: unknown): void {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

main().catch(fail);
