import { z } from 'zod';
import { optional, text } from './forms.ts';
import { setting } from './setting.ts';

const secretKey = text.min(32, 'must have 32 characters or more');

export const StorageSettings = z.object({
  dataDir: setting(
    'MOONBASE_DATA_DIR',
    text.prefault('./data'),
    'Folder of the SQLite database and the key file, for the user of the hub alone. One process at a time. `:memory:` keeps nothing.',
  ),
  databaseUrl: setting(
    'MOONBASE_DATABASE_URL',
    optional(text.regex(/^postgres(ql)?:\/\//, 'must begin with postgres://')),
    '`postgres://…`: use PostgreSQL instead of SQLite. Needs `MOONBASE_SECRET_KEY`.',
  ),
  secretKey: setting(
    'MOONBASE_SECRET_KEY',
    optional(secretKey),
    'Any text of 32 characters or more; the key for secrets at rest is derived from it. Without it, a key is made in the data folder (`secret.key`, mode 0600). The hub refuses to start with another key than its database was made with.',
    'a key file',
  ),
  secretKeyOld: setting(
    'MOONBASE_SECRET_KEY_OLD',
    optional(secretKey),
    'The key before, while secrets are moved to a new one: opens what it sealed, seals nothing. See [secrets.md](secrets.md).',
  ),
});
