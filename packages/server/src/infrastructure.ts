import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { FastifyBaseLogger } from 'fastify';
import type { Config } from './config.ts';
import { type Clock, systemClock } from './platform/clock.ts';
import { migrate } from './platform/database/migrate.ts';
import { IN_MEMORY } from './platform/database/sqlite.ts';
import { type Database, type DatabaseLocation, openDatabase } from './platform/database/transaction.ts';
import { bindSecrets, checkSecretKeys } from './platform/keys/check-key.ts';
import { readOrMakeKeys } from './platform/keys/key-file.ts';
import { createLogger } from './platform/logger.ts';
import { tightenFolder } from './platform/private-files.ts';
import { createSecretBox, type SecretBox, type SecretKeys, type Signer, signerOf } from './platform/secrets.ts';

/** What tests and demonstrations put in the place of the real thing, of what everything else stands on. */
export interface InfrastructureOverrides {
  readonly clock?: Clock;
  readonly logger?: FastifyBaseLogger;
  /** Opened already, to look into; the hub closes it. */
  readonly database?: Database;
}

/** What everything else stands on. */
export interface Infrastructure {
  readonly clock: Clock;
  readonly logger: FastifyBaseLogger;
  readonly database: Database;
  /** The newest migration. */
  readonly schema: string;
  readonly secretBox: SecretBox;
  readonly signer: Signer;
  /** Tells what belongs to this hub from what belongs to others: 16 letters, digits, `-` and `_`. */
  readonly mark: string;
}

export const migrations = fileURLToPath(new URL('../migrations', import.meta.url));

/** Opens the database and brings it up to date, and finds the keys. Throws where the database cannot be used. */
export async function openInfrastructure(config: Config, overrides: InfrastructureOverrides): Promise<Infrastructure> {
  const clock = overrides.clock ?? systemClock;
  const logger = overrides.logger ?? createLogger(config.logLevel);
  if (config.databaseUrl === undefined && config.dataDir !== IN_MEMORY)
    tightenFolder(config.dataDir, {
      onTightened: (what) => logger.warn(what, 'others had access to a file of the hub, which was taken away'),
      onLeft: (what) => logger.warn(what, 'others have access to a file of the hub'),
    });
  const database =
    overrides.database ??
    openDatabase(databaseOf(config), (error) =>
      logger.error({ reason: error.message }, 'a connection to the database was lost'),
    );
  try {
    const schema = await migrate(database, migrations, clock.now());
    const keys = secretKeysOf(config);
    const secretBox = createSecretBox(keys.key, keys.old);
    await bindSecrets(database, keys, (at) => logger.warn(at, 'a secret at rest cannot be read and is not used'));
    const { mark, unsubscribeKey } = await checkSecretKeys(database, keys);
    const signer = signerOf(unsubscribeKey);
    return { clock, logger, database, schema, secretBox, signer, mark };
  } catch (error) {
    await database[Symbol.asyncDispose]();
    throw error;
  }
}

/** Where the settings say that the database is. */
export const databaseOf = ({ databaseUrl, dataDir }: Config): DatabaseLocation =>
  databaseUrl === undefined ? { folder: dataDir } : { url: databaseUrl };

function secretKeysOf({ secretKey, secretKeyOld, dataDir }: Config): SecretKeys {
  if (secretKey !== undefined) return { key: secretKey, old: secretKeyOld };
  return dataDir === IN_MEMORY ? { key: randomBytes(32).toString('base64') } : readOrMakeKeys(dataDir);
}
