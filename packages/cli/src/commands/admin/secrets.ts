import { configOf, onDatabase } from '../../database-command.ts';
import { dataDir } from '../../hub-settings.ts';
import { command, group } from '../../program/command.ts';

const rotate = command({
  name: 'rotate',
  summary: 'move the secrets at rest to a new key',
  details:
    'From MOONBASE_SECRET_KEY_OLD to MOONBASE_SECRET_KEY, while hubs that have both run; or, where the key is a file of the data folder, to a new one, while no hub runs. It may be interrupted and run again. See docs/secrets.md.',
  options: { dataDir },
  async run({ options, terminal, json }) {
    const config = await configOf(options, terminal);
    const server = await import('@moonbase/server/rotate-secrets');
    return onDatabase(terminal, {
      ...{ doing: 'Moving', cannot: 'Cannot move the secrets', json },
      work: (told) => server.rotateSecrets(config, told),
    });
  },
  say: ({ moved, key }) =>
    `Moved ${moved.toLocaleString('en')} secrets to the new key. ${
      key === 'file'
        ? 'It is in secret.key; secret.key.old opens backups from before, and nothing else.'
        : 'MOONBASE_SECRET_KEY_OLD opens backups from before, and nothing else.'
    }\n`,
});

export const secrets = group('secrets', 'the key for secrets at rest', [rotate]);
