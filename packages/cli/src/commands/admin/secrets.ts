import { configOf, onDatabase } from '../../database-command.ts';
import { dataDir } from '../../hub-settings.ts';
import { command, group } from '../../program/command.ts';

const rotate = command({
  name: 'rotate',
  summary: 're-encrypt the secrets at rest with a new key',
  details:
    'Re-encrypts from MOONBASE_SECRET_KEY_OLD to MOONBASE_SECRET_KEY while hubs that have both keys run or, if the key is a file in the data folder, to a new key while no hub runs. The command may be interrupted and run again. See docs/secrets.md.',
  options: { dataDir },
  async run({ options, terminal, json }) {
    const config = await configOf(options, terminal);
    const server = await import('@moonbase/server/rotate-secrets');
    return onDatabase(terminal, {
      ...{ doing: 'Re-encrypting', cannot: 'Cannot re-encrypt the secrets', json },
      work: (onProgress) => server.rotateSecrets(config, onProgress),
    });
  },
  say: ({ moved, key }) =>
    `Moved ${moved.toLocaleString('en')} secrets to the new key. ${
      key === 'file'
        ? 'The new key is in secret.key. Keep secret.key.old only to read older backups.'
        : 'Keep the value of MOONBASE_SECRET_KEY_OLD only to read older backups.'
    }\n`,
});

export const secrets = group('secrets', 'the encryption key of secrets at rest', [rotate]);
