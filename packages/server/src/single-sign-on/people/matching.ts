import {
  type Account,
  type Accounts,
  findAccountById,
  findAccountsNamed,
  findUserToSignIn,
  lockAccount,
} from '../../accounts/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Executor, serialize } from '../../platform/database/transaction.ts';
import { conflict, forbidden } from '../../platform/http/errors.ts';
import type { Ids } from '../../platform/ids.ts';
import { freeNameLike } from '../../scim/index.ts';
import { HUB, type Provider } from '../providers/provider.ts';
import type { IdentityRow } from '../tables.ts';
import type { Person } from './claims.ts';
import {
  hasOtherSiteAdmin,
  hasOtherWayIn,
  insertIdentity,
  isProvisioned,
  lockIdentity,
  provisionedFor,
  touchIdentity,
} from './identity-store.ts';
import { mayEnter } from './policy.ts';

interface Dependencies {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly accounts: Accounts;
  /** Whether sign-ins never create accounts. */
  readonly isClosed: boolean;
}

/** The account that a person signs in to. */
export interface MatchedAccount {
  readonly user: Account;
  readonly identity: IdentityRow;
  /** Whether this sign-in created the account. */
  readonly isNew: boolean;
}

export type Matching = ReturnType<typeof createMatching>;

const notAllowed = ({ name }: Provider) =>
  forbidden(`${name} knows you, but you have no account here; ask an administrator of the hub`);
const linkFirst = () =>
  conflict('An account here has your e-mail address: sign in to it as before, and link the provider in the settings');

const orgIdOf = ({ key }: Provider): string | null => (key === HUB ? null : key);

/** The id of the lock that serializes first sign-ins. */
const FIRST_SIGN_INS = 0x73736f31;

/** Returns the identity of a person. Of two concurrent first sign-ins, the second waits and then finds the identity. */
async function findOrWait(tx: Executor, by: Parameters<typeof lockIdentity>[1]): Promise<IdentityRow | undefined> {
  const known = await lockIdentity(tx, by);
  if (known) return known;
  await serialize(tx, FIRST_SIGN_INS);
  return lockIdentity(tx, by);
}

/** Finds the account that a person signs in to: by identity, then by SCIM, never by e-mail address alone. */
export function createMatching({ clock, ids, accounts, isClosed }: Dependencies) {
  const identityOf = (provider: Provider, person: Person, userId: string, owned: boolean): IdentityRow => ({
    ...{ id: ids(), provider: provider.key, org_id: orgIdOf(provider), issuer: provider.issuer },
    ...{ subject: person.subject, user_id: userId, owned: owned ? 1 : 0, email: person.email ?? null },
    ...{ created_at: clock.now(), used_at: clock.now() },
  });

  async function addIdentity(tx: Executor, provider: Provider, person: Person, user: Account, owned: boolean) {
    const identity = identityOf(provider, person, user.id, owned);
    await insertIdentity(tx, identity);
    return identity;
  }

  /** Returns the account that an organization fed by the provider created for a person by SCIM. */
  async function provisionedAccount(tx: Executor, provider: Provider, person: Person): Promise<Account | undefined> {
    const organizations = await findAccountsNamed(tx, provider.rules.scimOrganizations);
    const ofHub = [...organizations.values()].filter(({ kind }) => kind === 'org').map(({ id }) => id);
    const orgId = orgIdOf(provider);
    const found = await provisionedFor(tx, orgId === null ? ofHub : [orgId], {
      externalId: person.subject,
      userNameKey: person.userName?.toLowerCase() ?? '',
    });
    if (new Set(found.map(({ userId }) => userId)).size > 1)
      throw conflict('Several accounts here could be yours; ask an administrator of the hub');
    return found[0] && findAccountById(tx, found[0].userId);
  }

  /** Returns the account with a person's address. Throws 409 if the operator does not let the provider take it over. */
  async function accountByEmail(tx: Executor, provider: Provider, person: Person): Promise<Account | undefined> {
    const { email, isEmailVerified } = person;
    // Only the hub's own provider can vouch for an address; others must not learn whose address it is.
    if (provider.key !== HUB || email === undefined || !isEmailVerified) return undefined;
    const user = await findUserToSignIn(tx, email.toLowerCase());
    if (!user) return undefined;
    const isFree = user.site_admin === 0 && !(await hasOtherWayIn(tx, user.id, ''));
    if (provider.rules.linkByEmail && isFree) return user;
    throw linkFirst();
  }

  async function makeAccount(tx: Executor, provider: Provider, person: Person): Promise<Account> {
    if (isClosed || !provider.rules.createUsers) throw notAllowed(provider);
    const { userName, email, isEmailVerified, fullname } = person;
    const name = await freeNameLike(tx, ids, userName ?? email ?? 'user');
    const vouched = provider.key === HUB && isEmailVerified ? email : undefined;
    return accounts.create(tx, { kind: 'user', name, fullname: fullname ?? userName ?? name, email: vouched ?? null });
  }

  /** Gives an account without an address the one that the hub's own provider confirmed, unless it is in use. */
  async function followEmail(tx: Executor, provider: Provider, person: Person, user: Account): Promise<Account> {
    const { email, isEmailVerified } = person;
    if (provider.key !== HUB || user.email !== null || email === undefined || !isEmailVerified) return user;
    if (await findUserToSignIn(tx, email.toLowerCase())) return user;
    await accounts.update(tx, user, { email });
    return { ...user, email };
  }

  /**
   * Makes the user a site administrator, or removes that right, by the admin group; the last site administrator stays.
   */
  async function followAdminGroup(tx: Executor, provider: Provider, person: Person, user: Account): Promise<Account> {
    const { adminGroup } = provider.rules;
    if (provider.key !== HUB || adminGroup === undefined || person.groups === undefined) return user;
    const isAdmin = person.groups.includes(adminGroup);
    if (isAdmin === (user.site_admin === 1)) return user;
    if (!isAdmin && !(await hasOtherSiteAdmin(tx, user.id))) return user;
    const change = { site_admin: isAdmin ? 1 : 0 };
    await accounts.update(tx, user, change);
    return { ...user, ...change };
  }

  async function knownOrNew(tx: Executor, provider: Provider, person: Person): Promise<MatchedAccount> {
    const { key, issuer } = provider;
    const orgId = orgIdOf(provider);
    const known = await findOrWait(tx, { provider: key, issuer, subject: person.subject });
    const owner = known && (await findAccountById(tx, known.user_id));
    if (known && owner) {
      const owned = known.owned === 1 || (orgId !== null && (await isProvisioned(tx, orgId, owner.id)));
      const change = { used_at: clock.now(), email: person.email ?? known.email, owned: owned ? 1 : 0 };
      await touchIdentity(tx, known.id, change);
      return { user: owner, identity: { ...known, ...change }, isNew: false };
    }
    const there = (await provisionedAccount(tx, provider, person)) ?? (await accountByEmail(tx, provider, person));
    const user = there ?? (await makeAccount(tx, provider, person));
    return { user, identity: await addIdentity(tx, provider, person, user, true), isNew: !there };
  }

  return {
    /** Returns the account of a person, created if the rules allow. Throws 403 or 409 if the person cannot sign in. */
    async match(tx: Executor, provider: Provider, person: Person): Promise<MatchedAccount> {
      if (!mayEnter(person, provider.rules)) throw notAllowed(provider);
      const matched = await knownOrNew(tx, provider, person);
      await lockAccount(tx, matched.user.id);
      const user = (await findAccountById(tx, matched.user.id)) ?? matched.user;
      if (user.disabled_at !== null) throw forbidden('Your account is disabled; ask an administrator of the hub');
      // The provider of an organization may sign people in only to accounts that the organization owns.
      if (provider.key !== HUB && (matched.identity.owned === 0 || user.site_admin === 1))
        throw forbidden(`Sign in to the hub first, and link ${provider.name} in the settings`);
      const known = await followEmail(tx, provider, person, user);
      return { ...matched, user: await followAdminGroup(tx, provider, person, known) };
    },

    /** Links a person to the account of a signed-in user. Throws 409 if somebody else has the identity. */
    async link(tx: Executor, provider: Provider, person: Person, userId: string): Promise<MatchedAccount> {
      const user = await findAccountById(tx, userId);
      if (!user || !mayEnter(person, provider.rules)) throw notAllowed(provider);
      const known = await findOrWait(tx, {
        provider: provider.key,
        issuer: provider.issuer,
        subject: person.subject,
      });
      if (known && known.user_id !== userId) throw conflict('This identity is linked to another account of this hub');
      const orgId = orgIdOf(provider);
      const owned = orgId === null || (await isProvisioned(tx, orgId, userId));
      const identity = known ?? (await addIdentity(tx, provider, person, user, owned));
      return { user, identity, isNew: false };
    },
  };
}
