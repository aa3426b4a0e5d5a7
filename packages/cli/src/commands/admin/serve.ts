import { dataDir, settingsOf } from '../../hub-settings.ts';
import { command } from '../../program/command.ts';
import { FailedError } from '../../program/failure.ts';
import { choice, text } from '../../program/parameter.ts';

const hosting = {
  host: text('address', 'where it listens (MOONBASE_HOST, default: 127.0.0.1)', { short: 'H' }),
  port: text('number', 'where it listens (MOONBASE_PORT, default: 7780); 0 takes a free one', { short: 'p' }),
  publicUrl: text('url', 'how others reach it (MOONBASE_PUBLIC_URL)'),
  dataDir,
  role: choice(['all', 'api', 'worker'], 'what it does, of several on one PostgreSQL (MOONBASE_ROLE)'),
  logLevel: choice(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'MOONBASE_LOG_LEVEL'),
};

/** The hub says in a sentence why it cannot start. */
const said = (error: unknown): never => {
  throw new FailedError(error instanceof Error ? error.message : String(error));
};

export const serve = command({
  name: 'serve',
  summary: 'run a hub, as `npm start` does, until it is interrupted',
  details: 'Every setting is a variable of the environment (docs/configuration.md); these options set some of them.',
  options: hosting,
  async run({ options, terminal }) {
    const server = await import('@moonbase/server/serve');
    await server.serve(settingsOf(options, terminal)).catch(said);
  },
});

export const migrate = command({
  name: 'migrate',
  summary: 'bring the database up to date without running a hub',
  details:
    'A hub does so itself when it starts. MOONBASE_DATABASE_URL names another database than the one in the folder.',
  options: { dataDir },
  async run({ options, terminal }) {
    const server = await import('@moonbase/server/serve');
    return server.migrateDatabase(settingsOf(options, terminal)).catch(said);
  },
  say: ({ schema }) => `The database is up to date: ${schema}.\n`,
});
