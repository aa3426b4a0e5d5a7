import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { FastifyBaseLogger } from 'fastify';
import type { Config } from './config.ts';
import { type Clock, systemClock } from './platform/clock.ts';
import { checkSecretKey } from './platform/database/check-key.ts';
import { migrate } from './platform/database/migrate.ts';
import { IN_MEMORY } from './platform/database/sqlite.ts';
import { type Database, type DatabaseLocation, openDatabase } from './platform/database/transaction.ts';
import { readOrMakeKey } from './platform/key-file.ts';
import { createLogger } from './platform/logger.ts';
import { createSecretBox, createSigner, type SecretBox, type Signer } from './platform/secrets.ts';

/** What tests and demonstrations put in the place of the real thing, of what everything else stands on. */
export interface FoundationOverrides {
  readonly clock?: Clock;
  readonly logger?: FastifyBaseLogger;
  /** Opened already, to look into; the hub closes it. */
  readonly database?: Database;
}

/** What everything else stands on. */
export interface Foundation {
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
export async function layFoundation(config: Config, overrides: FoundationOverrides): Promise<Foundation> {
  const clock = overrides.clock ?? systemClock;
  const logger = overrides.logger ?? createLogger(config.logLevel);
  const database =
    overrides.database ??
    openDatabase(databaseOf(config), (error) =>
      logger.error({ reason: error.message }, 'a connection to the database was lost'),
    );
  try {
    const schema = await migrate(database, migrations, clock.now());
    const secretKey = secretKeyOf(config);
    const secretBox = createSecretBox(secretKey);
    await checkSecretKey(database, secretBox);
    const signer = createSigner(secretKey, 'unsubscribe links');
    const mark = createSigner(secretKey, 'mark of the hub').sign('').slice(0, 16);
    return { clock, logger, database, schema, secretBox, signer, mark };
  } catch (error) {
    await database[Symbol.asyncDispose]();
    throw error;
  }
}

/** Where the settings say that the database is. */
export const databaseOf = ({ databaseUrl, dataDir }: Config): DatabaseLocation =>
  databaseUrl === undefined ? { folder: dataDir } : { url: databaseUrl };

function secretKeyOf(config: Config): string {
  if (config.secretKey !== undefined) return config.secretKey;
  return config.dataDir === IN_MEMORY ? randomBytes(32).toString('base64') : readOrMakeKey(config.dataDir);
}
