import * as z from 'zod';
import { optional, text, wholeNumber } from './forms.ts';
import { secret, setting } from './setting.ts';

const databaseUrl = text.regex(/^postgres(ql)?:\/\//, 'must begin with postgres://').refine(isReadable, {
  error:
    'must be a URL as in postgres://hub:password@db.example.com:5432/hub, with / ? # @ % in the password written as %2F %3F %23 %40 %25',
});

/** Returns whether the driver can read a URL: a character with a meaning in URLs may be part of its password. */
function isReadable(url: string): boolean {
  try {
    return decodeURIComponent(new URL(url).password) !== undefined;
  } catch {
    return false;
  }
}

const secretKey = text.min(32, 'must have 32 characters or more');

export const StorageSettings = z.object({
  dataDir: setting(
    'MOONBASE_DATA_DIR',
    text.prefault('./data'),
    'Folder of the SQLite database and the key file, readable by the user of the hub only. One process at a time. `:memory:` keeps nothing.',
  ),
  databaseUrl: secret(
    'MOONBASE_DATABASE_URL',
    optional(databaseUrl),
    '`postgres://…`: use PostgreSQL instead of SQLite. Needs `MOONBASE_SECRET_KEY`.',
  ),
  databaseWaitSeconds: setting(
    'MOONBASE_DATABASE_WAIT_SECONDS',
    wholeNumber(3600).prefault('60'),
    'Seconds for which a hub that starts waits for a PostgreSQL that cannot be reached or is not ready; then it ends with status 1.',
  ),
  secretKey: secret(
    'MOONBASE_SECRET_KEY',
    optional(secretKey),
    'Any text of 32 characters or more; the key for secrets at rest is derived from it. Without this setting, a key is generated in the data folder (`secret.key`, mode 0600). The hub refuses to start with a key that does not match its database.',
    'a key file',
  ),
  secretKeyOld: secret(
    'MOONBASE_SECRET_KEY_OLD',
    optional(secretKey),
    'The previous key, while secrets are re-encrypted with a new one; used to decrypt only. See [secrets.md](secrets.md).',
  ),
});
