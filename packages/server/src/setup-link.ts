import type { Config } from './config.ts';
import { databaseOf, migrations } from './infrastructure.ts';
import { systemClock } from './platform/clock.ts';
import { isUpToDate } from './platform/database/migrate.ts';
import { IN_MEMORY } from './platform/database/sqlite/sqlite.ts';
import { openDatabaseOfRunningHub } from './platform/database/transaction.ts';
import { HubError } from './platform/http/errors.ts';
import { createLinkMaking, makeSetupLink, type SetupLink } from './sign-in/index.ts';

export type { SetupLink };

/**
 * Creates a link with which a site administrator sets a password, directly in the database, whether the hub runs or
 * not: for operators who have no other way to sign in.
 */
export async function setupLink(
  config: Config,
  user?: string,
  { withoutSecondFactor }: { readonly withoutSecondFactor?: boolean | undefined } = {},
): Promise<SetupLink> {
  const { dataDir, databaseUrl, publicUrl, host, port } = config;
  if (dataDir === IN_MEMORY && databaseUrl === undefined)
    throw new Error('MOONBASE_DATA_DIR is :memory:, which nothing else can read or change.');
  await using database = openDatabaseOfRunningHub(databaseOf(config));
  if (!(await isUpToDate(database, migrations)))
    throw new Error(
      'The database is of another version of Moonbase: start the hub with this one, or run `moonbase migrate`.',
    );
  const hubUrl = publicUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  try {
    const making = createLinkMaking({ clock: systemClock });
    return await makeSetupLink({ database, making, hubUrl, user, withoutSecondFactor });
  } catch (error) {
    if (error instanceof HubError) throw new Error(error.message);
    throw error;
  }
}
