import { configOf, onDatabase } from '../../database-command.ts';
import { dataDir } from '../../hub-settings.ts';
import { type Command, command } from '../../program/command.ts';
import { flag, text } from '../../program/parameter.ts';
import { when } from '../parameters.ts';

export const setupLink: Command = command({
  name: 'setup-link',
  summary: 'print a link that lets a site administrator of the hub of this machine set a password',
  details:
    'Works directly on the database, whether or not the hub is running. The link works once: for a day, or for half an hour if a site administrator already has a password. MOONBASE_DATABASE_URL selects another database than the one in the data folder.',
  options: {
    user: text('name', 'the site administrator (default: the first one)'),
    withoutSecondFactor: flag('also remove the second factor of the site administrator'),
    publicUrl: text('url', 'public URL of the hub (MOONBASE_PUBLIC_URL)'),
    port: text('number', 'port of the hub (MOONBASE_PORT, default: 7780)', { short: 'p' }),
    dataDir,
  },
  async run({ options: { user, withoutSecondFactor, ...settings }, terminal, json }) {
    const config = await configOf(settings, terminal);
    const server = await import('@moonbase/server/setup-link');
    return onDatabase(terminal, {
      ...{ doing: 'Reading', cannot: 'Cannot create a link', json },
      work: () => server.setupLink(config, user, { withoutSecondFactor }),
    });
  },
  say: ({ url, user, purpose, expiresAt }) =>
    `${purpose === 'setup' ? 'Set up the hub' : `Choose a new password for ${user}`} at ${url}\nuntil ${when(expiresAt)} UTC, once.\n`,
});
