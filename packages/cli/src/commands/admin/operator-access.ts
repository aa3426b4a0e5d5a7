import { configOf, onDatabase } from '../../database-command.ts';
import { dataDir } from '../../hub-settings.ts';
import { command } from '../../program/command.ts';
import { choice, flag, needed, number, text } from '../../program/parameter.ts';
import { when } from '../parameters.ts';

const BESIDE_HUB =
  'Works directly on the database of this machine, whether or not the hub is running. MOONBASE_DATABASE_URL selects another database than the one in the data folder.';

const user = needed(text('name', 'the user'));

export const token = command({
  name: 'token',
  summary: 'make an access token for any user of the hub of this machine and print it once',
  details: BESIDE_HUB,
  options: {
    user,
    name: text('name', 'name of the token (default: one with the time)'),
    role: choice(['read', 'write'], 'role of the token (default: write)'),
    days: number('count', 'days until the token expires (default: never)'),
    dataDir,
  },
  async run({ options: { dataDir: folder, ...wanted }, terminal, json }) {
    const config = await configOf({ dataDir: folder }, terminal);
    const server = await import('@moonbase/server/operator-access');
    return onDatabase(terminal, {
      ...{ doing: 'Writing', cannot: 'Cannot make a token', json },
      work: () => server.operatorToken(config, wanted),
    });
  },
  say: (made) =>
    `Access token of the user ${made.user}, shown this once${made.expiresAt === undefined ? '' : `, until ${when(made.expiresAt)} UTC`}:\n${made.token}\n`,
});

export const resetPassword = command({
  name: 'reset-password',
  summary: 'give any user of the hub of this machine a new password and print it once; all sessions of the user end',
  details: `${BESIDE_HUB} Access tokens of the user stay valid.`,
  options: { user, withoutSecondFactor: flag('also remove the second factor of the user'), dataDir },
  async run({ options: { user: name, withoutSecondFactor, ...settings }, terminal, json }) {
    const config = await configOf(settings, terminal);
    const server = await import('@moonbase/server/operator-access');
    return onDatabase(terminal, {
      ...{ doing: 'Writing', cannot: 'Cannot reset the password', json },
      work: () => server.resetPassword(config, name, { withoutSecondFactor }),
    });
  },
  say: (reset) =>
    `New password of the user ${reset.user}, shown this once:\n${reset.password}\nEnded ${reset.endedSessions} ${reset.endedSessions === 1 ? 'session' : 'sessions'}.\n`,
});
