import { dataDir, settingsOf } from '../../hub-settings.ts';
import { command } from '../../program/command.ts';
import { FailedError } from '../../program/failure.ts';
import { choice, text } from '../../program/parameter.ts';

const hosting = {
  host: text('address', 'address to listen on (MOONBASE_HOST, default: 127.0.0.1)', { short: 'H' }),
  port: text('number', 'port to listen on (MOONBASE_PORT, default: 7780); 0 picks a free one', { short: 'p' }),
  publicUrl: text('url', 'public URL of the hub (MOONBASE_PUBLIC_URL)'),
  dataDir,
  role: choice(['all', 'api', 'worker'], 'role of this process among several on one PostgreSQL (MOONBASE_ROLE)'),
  logLevel: choice(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'log level (MOONBASE_LOG_LEVEL)'),
};

/** Throws a `FailedError` with the message in which the hub explains why it cannot start. */
const throwFailed = (error: unknown): never => {
  throw new FailedError(error instanceof Error ? error.message : String(error));
};

export const serve = command({
  name: 'serve',
  summary: 'run a hub, as `npm start` does, until interrupted',
  details: 'Every setting is an environment variable (docs/configuration.md); these options set some of them.',
  options: hosting,
  async run({ options, terminal }) {
    const server = await import('@moonbase/server/serve');
    await server.serve(settingsOf(options, terminal)).catch(throwFailed);
  },
});

export const migrate = command({
  name: 'migrate',
  summary: 'migrate the database without running a hub',
  details:
    'A hub migrates its database when it starts. MOONBASE_DATABASE_URL selects another database than the one in the data folder.',
  options: { dataDir },
  async run({ options, terminal }) {
    const server = await import('@moonbase/server/serve');
    return server.migrateDatabase(settingsOf(options, terminal)).catch(throwFailed);
  },
  say: ({ schema }) => `The database is up to date: ${schema}.\n`,
});
