import { createAuditLog } from './audit-log/index.ts';
import type { Config } from './config.ts';
import { openBesideHub } from './infrastructure.ts';
import { systemClock } from './platform/clock.ts';
import { HubError } from './platform/http/errors.ts';
import { createIds } from './platform/ids.ts';
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
  const { publicUrl, host, port } = config;
  await using database = await openBesideHub(config);
  const hubUrl = publicUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  try {
    const making = createLinkMaking({ clock: systemClock });
    const audit = createAuditLog({ clock: systemClock, ids: createIds(systemClock) });
    return await makeSetupLink({ database, audit, making, hubUrl, user, withoutSecondFactor });
  } catch (error) {
    if (error instanceof HubError) throw new Error(error.message);
    throw error;
  }
}
