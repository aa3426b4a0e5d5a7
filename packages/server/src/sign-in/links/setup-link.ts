import { type Account, findAccount, firstSiteAdmin, requireUser } from '../../accounts/index.ts';
import { type AuditLog, operatorWith, recordForSite } from '../../audit-log/index.ts';
import { timestamp } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/transaction.ts';
import { conflict } from '../../platform/http/errors.ts';
import { anyAdminWithPassword } from '../passwords/password-store.ts';
import { deleteFactors } from '../second-factor/factor-store.ts';
import { type LinkMaking, linkUrl } from './link-making.ts';

interface Given {
  readonly database: Database;
  readonly audit: AuditLog;
  readonly making: Pick<LinkMaking, 'createRandom'>;
  readonly hubUrl: string;
  /** The name of the site administrator; undefined: the oldest enabled one. */
  readonly user: string | undefined;
  /** Whether to remove the second factor of the site administrator as well. */
  readonly withoutSecondFactor?: boolean | undefined;
}

export interface SetupLink {
  readonly url: string;
  readonly user: string;
  /** `reset` if a site administrator has a password already. */
  readonly purpose: 'setup' | 'reset';
  readonly expiresAt: string;
}

/**
 * Creates a link by which a site administrator sets a password, for an operator with access to the database. Throws if
 * no enabled site administrator has the name.
 */
export async function makeSetupLink(given: Given): Promise<SetupLink> {
  const { database, audit, making, hubUrl, user: name, withoutSecondFactor = false } = given;
  const admin = await findAdmin(database, name);
  const purpose = (await anyAdminWithPassword(database.read)) ? 'reset' : 'setup';
  // The first statement of the transaction writes, so that the transaction waits for those of a running hub.
  const { code, expiresAt } = await database.transaction(async (tx) => {
    const link = await making.createRandom(tx, { userId: admin.id, purpose });
    if (withoutSecondFactor) await deleteFactors(tx, admin.id);
    const message = `Made a link with which ${admin.name} sets a password`;
    const data = { user: { _id: admin.id, user: admin.name }, purpose, withoutSecondFactor };
    await recordForSite(audit, tx, operatorWith('moonbase setup-link'), { type: 'user.link', message, data });
    return link;
  });
  return { url: linkUrl(hubUrl, code), user: admin.name, purpose, expiresAt: timestamp(expiresAt) };
}

async function findAdmin({ read }: Database, name: string | undefined): Promise<Account> {
  const admin = name === undefined ? await firstSiteAdmin(read) : requireUser(await findAccount(read, name), name);
  if (!admin) throw conflict('The hub has no site administrator yet; start it once');
  if (admin.site_admin === 0) throw conflict(`${admin.name} is not a site administrator`);
  if (admin.disabled_at !== null) throw conflict(`${admin.name} is disabled`);
  return admin;
}
