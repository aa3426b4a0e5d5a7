import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyBaseLogger } from 'fastify';
import { requireVersion, storageFault } from './config/starting/start-faults.ts';
import { openLog } from './config/starting/start-log.ts';
import type { Config } from './config.ts';
import { JOBS_FOLDER } from './jobs/index.ts';
import { BLOBS_FOLDER } from './platform/blobs/open-blob-store.ts';
import { type Clock, systemClock } from './platform/clock.ts';
import { isUsable, migrate } from './platform/database/migrate.ts';
import { IN_MEMORY } from './platform/database/sqlite/sqlite.ts';
import {
  type Database,
  type DatabaseLocation,
  openDatabase,
  openDatabaseOfRunningHub,
} from './platform/database/transaction.ts';
import { postgresVersion, waitForDatabase } from './platform/database/wait.ts';
import { createGitStore, type GitStore } from './platform/git/git-store.ts';
import { bindSecrets, checkSecretKeys } from './platform/keys/check-key.ts';
import { readOrMakeKeys } from './platform/keys/key-file.ts';
import { tightenFolder } from './platform/private-files.ts';
import {
  createSecretBox,
  createSigner,
  type SecretBox,
  type SecretKeys,
  type Signer,
  signerOf,
} from './platform/secrets.ts';
import { SEALED } from './tables.ts';

/** The parts of the infrastructure that tests and demonstrations replace. */
export interface InfrastructureOverrides {
  readonly clock?: Clock;
  readonly logger?: FastifyBaseLogger;
  /** An open database that tests can inspect; the hub closes it. */
  readonly database?: Database;
  readonly gitStore?: GitStore;
}

/** The foundation of all services. */
export interface Infrastructure {
  readonly clock: Clock;
  readonly logger: FastifyBaseLogger;
  readonly database: Database;
  /** The name of the newest migration. */
  readonly schema: string;
  readonly gitStore: GitStore;
  readonly secretBox: SecretBox;
  readonly signer: Signer;
  /** Signs URLs that are valid for a day. */
  readonly addressSigner: Signer;
  /** Signs the tokens of Xet clients. */
  readonly xetSigner: Signer;
  /** Identifies this hub on machines that several hubs share: 16 letters, digits, `-` and `_`. */
  readonly mark: string;
}

/** The folder of repositories in the data folder. */
export const GIT_FOLDER = 'git';

export const migrations = fileURLToPath(new URL('../migrations', import.meta.url));

/** Opens and migrates the database, and reads the keys. Throws if the database cannot be used. */
export async function openInfrastructure(config: Config, overrides: InfrastructureOverrides): Promise<Infrastructure> {
  const clock = overrides.clock ?? systemClock;
  const logger = overrides.logger ?? openLog(config);
  if (config.databaseUrl === undefined && config.dataDir !== IN_MEMORY)
    tightenFolder(config.dataDir, {
      own: [JOBS_FOLDER, BLOBS_FOLDER, GIT_FOLDER],
      onTightened: (what) => logger.warn(what, 'others had access to a file of the hub, which was taken away'),
      onUnchanged: (what) => logger.warn(what, 'others have access to a file of the hub'),
    });
  const database = overrides.database ?? (await openReachable(config, logger));
  try {
    const schema = await migrate(database, migrations, clock.now(), {
      onMigrated(names, ms) {
        logger.info({ count: names.length, newest: names.at(-1), ms }, 'the database was migrated');
        logger.debug({ names }, 'these migrations have run');
      },
      onNewer: (names) =>
        logger.warn({ newest: names.at(-1) }, 'the database is of the release after this one, beside which it works'),
    });
    const keys = secretKeysOf(config);
    const secretBox = createSecretBox(keys.key, keys.old);
    await bindSecrets(database, SEALED, keys, (at) =>
      logger.warn(at, 'a secret at rest cannot be read and is not used'),
    );
    const { mark, unsubscribeKey } = await checkSecretKeys(database, keys);
    const signer = signerOf(unsubscribeKey);
    const addressSigner = createSigner(keys.key, 'addresses of files');
    const xetSigner = createSigner(keys.key, 'xet tokens');
    const gitStore = overrides.gitStore ?? gitStoreOf(config);
    return { clock, logger, database, schema, gitStore, secretBox, signer, addressSigner, xetSigner, mark };
  } catch (error) {
    await database[Symbol.asyncDispose]();
    throw error;
  }
}

/** Opens the database of the settings and waits until it can be used. */
async function openReachable(config: Config, logger: FastifyBaseLogger): Promise<Database> {
  const seconds = config.databaseWaitSeconds;
  let database: Database | undefined;
  try {
    database = openDatabase(databaseOf(config), (error) =>
      logger.error({ reason: error.message }, 'a connection to the database was lost'),
    );
    await waitForDatabase(database, {
      waitMs: seconds * 1000,
      onWaiting: (err) => logger.warn({ err, seconds }, 'the database is waited for'),
    });
    if (config.databaseUrl !== undefined) requireVersion(await postgresVersion(database), config.databaseUrl);
    return database;
  } catch (error) {
    await database?.[Symbol.asyncDispose]();
    throw storageFault(error, config);
  }
}

/**
 * Opens the database of the settings for a short change, whether the hub runs or not. Throws an error with a sentence if
 * there is none, or if it is of another version.
 */
export async function openBesideHub(config: Config): Promise<Database> {
  if (isInMemory(config) && config.databaseUrl === undefined)
    throw new Error('MOONBASE_DATA_DIR is :memory:, which nothing else can read or change.');
  const database = openDatabaseOfRunningHub(databaseOf(config));
  const isCurrent = await isUsable(database, migrations).catch(async (error: unknown) => {
    await database[Symbol.asyncDispose]();
    throw error;
  });
  if (isCurrent) return database;
  await database[Symbol.asyncDispose]();
  throw new Error(
    'The database is of another version of Moonbase: start the hub with this one, or run `moonbase migrate`.',
  );
}

/** Returns whether the hub keeps everything in memory. */
export const isInMemory = ({ dataDir }: Config): boolean => dataDir === IN_MEMORY;

/** Opens the repositories in the data folder; a hub in memory uses a temporary folder. */
const gitStoreOf = ({ dataDir }: Config): GitStore =>
  dataDir === IN_MEMORY
    ? createGitStore(join(tmpdir(), `moonbase-git-${randomBytes(9).toString('hex')}`), { durable: false })
    : createGitStore(join(dataDir, GIT_FOLDER), { durable: true });

/** Returns the location of the database according to the settings. */
export const databaseOf = ({ databaseUrl, dataDir }: Config): DatabaseLocation =>
  databaseUrl === undefined ? { folder: dataDir } : { url: databaseUrl };

function secretKeysOf({ secretKey, secretKeyOld, dataDir }: Config): SecretKeys {
  if (secretKey !== undefined) return { key: secretKey, old: secretKeyOld };
  return dataDir === IN_MEMORY ? { key: randomBytes(32).toString('base64') } : readOrMakeKeys(dataDir);
}
