import type { HubDocument } from '@moonbase/contract/admin/hub-document';
import {
  type Account,
  type Accounts,
  auditedToken,
  deleteToken,
  findAccount,
  findAccountsNamed,
  findTokensOf,
  fineGrainedText,
  type NewToken,
  nameKey,
  type TokenRow,
  updateToken,
} from '../../accounts/index.ts';
import { type AuditLog, recordForSite } from '../../audit-log/index.ts';
import type { Erase } from '../../members/index.ts';
import { afterCommit } from '../../platform/database/transaction.ts';
import type { Signals } from '../../platform/queue/signals.ts';
import { sha256 } from '../../platform/secrets.ts';
import { isWeakToken, STRONG_TOKEN } from '../../platform/weak-tokens.ts';
import type { AccountQuotas } from '../../quotas/index.ts';
import { changedColumns, changedConcurrently, itemsOf } from './items.ts';
import { applyQuota } from './quotas.ts';
import type { Step, Steps } from './steps.ts';

type HubUser = HubDocument['users'][number];
type HubToken = HubUser['tokens'][number];

const USERS_A_STEP = 100;

interface Services {
  readonly accounts: Accounts;
  readonly callers: Signals;
  readonly quotas: Pick<AccountQuotas, 'setStorage'>;
  readonly audit: AuditLog;
}

/** Creates or updates users and their tokens. */
export async function applyUsers(steps: Steps, users: HubDocument['users'], services: Services): Promise<void> {
  await steps.each(itemsOf('users', users).present, USERS_A_STEP, async (step, part) => {
    const items = part.map(({ item }) => item);
    const known = await findOrCreate(step, items, services);
    const holders = items.filter(({ tokens }) => tokens.length > 0);
    await applyTokens(step, holders, known, services);
  });
}

function columnsOf(item: HubUser): Partial<Account> {
  return {
    ...(item.fullname !== undefined && { fullname: item.fullname }),
    ...(item.email !== undefined && { email: item.email }),
    ...(item.avatarUrl !== undefined && { avatar_url: item.avatarUrl }),
    ...(item.pro !== undefined && { pro: item.pro ? 1 : 0 }),
    ...(item.admin !== undefined && { site_admin: item.admin ? 1 : 0 }),
  };
}

/** Returns the users by `nameKey(name)`. */
async function findOrCreate(
  step: Step,
  items: readonly HubUser[],
  { accounts, quotas, audit }: Services,
): Promise<ReadonlyMap<string, Account>> {
  const known = await findAccountsNamed(
    step.tx,
    items.map(({ name }) => name),
  );
  const missing = new Map(
    items.filter(({ name }) => !known.has(nameKey(name))).map((item) => [nameKey(item.name), item]),
  );
  const made = new Set<HubUser>();
  for (const item of items) if (missing.delete(nameKey(item.name))) made.add(item);
  const drafts = [...made].map((item) => ({ kind: 'user' as const, name: item.name, ...columnsOf(item) }));
  for (const account of await accounts.createAll(step.tx, drafts)) known.set(account.name_key, account);
  for (const item of items) {
    const account = known.get(nameKey(item.name));
    if (account?.kind !== 'user') throw changedConcurrently();
    const change = made.has(item) ? undefined : changedColumns(account, columnsOf(item));
    if (change) {
      await accounts.update(step.tx, account, change);
      known.set(account.name_key, { ...account, ...change });
    }
    if (made.has(item)) await recordUser(audit, step, 'user.create', account, {});
    else if (change) await recordUser(audit, step, 'user.update', account, change);
    const hasOtherQuota = await applyQuota(step, quotas, item);
    step.count('users', made.has(item) ? 'created' : change || hasOtherQuota ? 'updated' : 'unchanged');
  }
  return known;
}

async function applyTokens(
  step: Step,
  users: readonly HubUser[],
  known: ReadonlyMap<string, Account>,
  { accounts, callers, audit }: Services,
): Promise<void> {
  const holders = users.flatMap((item) => {
    const user = known.get(nameKey(item.name));
    return user ? [{ item, user }] : [];
  });
  const tokens = new Map<string, TokenRow>();
  const keyOf = (userId: string, name: string) => `${userId} ${name}`;
  for (const row of await findTokensOf(
    step.tx,
    holders.map(({ user }) => user.id),
  ))
    tokens.set(keyOf(row.user_id, row.display_name), row);
  const drafts = new Map<string, { readonly user: Account; readonly item: HubToken }>();
  /** Creates the deferred tokens, in the order of the document. */
  async function makeDrafts(): Promise<void> {
    const all = [...drafts.values()];
    drafts.clear();
    const made = await accounts.createTokens(
      step.tx,
      all.map(({ user, item }) => newTokenOf(user, item)),
    );
    for (const [at, { row, token }] of made.entries()) {
      const { user, item } = all[at] ?? {};
      if (user) await recordToken(audit, step, 'token.create', user, row);
      tokens.set(keyOf(row.user_id, row.display_name), row);
      if (user && item && item.token === undefined)
        step.report.newTokens.push({ user: user.name, name: item.name, token });
      step.count('tokens', 'created');
    }
  }
  for (const { item, user } of holders)
    for (const token of item.tokens) {
      const key = keyOf(user.id, token.name);
      if (drafts.has(key)) await makeDrafts();
      warnOfWeakToken(step, user, token);
      const existing = tokens.get(key);
      if (existing) {
        const now = await changeToken(step, existing, token);
        if (now !== existing) {
          afterCommit(step.tx, () => callers.send([user.id]));
          await recordToken(audit, step, now ? 'token.update' : 'token.delete', user, now ?? existing);
        }
        if (now) tokens.set(key, now);
        else tokens.delete(key);
      } else if (token.state !== 'absent') drafts.set(key, { user, item: token });
    }
  await makeDrafts();
}

const VERBS = {
  'user.create': 'Created the user',
  'user.update': 'Changed the user',
  'token.create': 'Made the access token',
  'token.update': 'Changed the access token',
  'token.delete': 'Revoked the access token',
} as const;

/** Records a new or changed user, with the names of the changed properties. */
const recordUser = (
  audit: AuditLog,
  { tx, caller }: Step,
  type: 'user.create' | 'user.update',
  { id, name }: Account,
  change: Partial<Account>,
): Promise<void> =>
  recordForSite(audit, tx, caller, {
    type,
    message: `${VERBS[type]} ${name}`,
    data: {
      user: { _id: id, user: name },
      ...(type === 'user.update' && { changed: Object.keys(change) }),
      ...(change.site_admin !== undefined && { admin: change.site_admin === 1 }),
    },
  });

const recordToken = (
  audit: AuditLog,
  { tx, caller }: Step,
  type: 'token.create' | 'token.update' | 'token.delete',
  user: Account,
  token: TokenRow,
): Promise<void> =>
  recordForSite(audit, tx, caller, {
    type,
    message: `${VERBS[type]} ${token.display_name} of ${user.name}`,
    data: auditedToken(user, token),
  });

const newTokenOf = ({ id }: Account, { name, role, token, scopes, expiresAt }: HubToken): NewToken => ({
  ...{ userId: id, displayName: name, role: role ?? 'write', token, fineGrained: scopes },
  expiresAt: expiresAt == null ? undefined : Date.parse(expiresAt),
});

function warnOfWeakToken({ report }: Step, { name }: Account, token: HubToken): void {
  if (token.state !== 'absent' && token.token && isWeakToken(token.token))
    report.warnings.push(`The token ${token.name} of ${name} can be guessed: leave it out, or take ${STRONG_TOKEN}`);
}

/** Returns the changed token, the same object if nothing changed, or undefined if the token was deleted. */
async function changeToken(step: Step, existing: TokenRow, item: HubToken): Promise<TokenRow | undefined> {
  if (item.state === 'absent') {
    if (existing.id === step.caller.principal.token.id) throw changedConcurrently();
    await deleteToken(step.tx, existing.id);
    step.count('tokens', 'removed');
    return undefined;
  }
  const role = item.role ?? existing.role;
  const change = changedColumns(existing, {
    role,
    ...(role !== 'fineGrained' && { fine_grained: null }),
    ...(role === 'fineGrained' && item.scopes && { fine_grained: fineGrainedText(item.scopes) }),
    ...(item.expiresAt !== undefined && {
      expires_at: item.expiresAt === null ? null : Date.parse(item.expiresAt),
    }),
    ...(item.token !== undefined && { hash: sha256(item.token), last4: item.token.slice(-4) }),
  });
  if (change) await updateToken(step.tx, existing.id, change);
  step.count('tokens', change ? 'updated' : 'unchanged');
  return change ? { ...existing, ...change } : existing;
}

/** Removes users with their repositories, posts, articles and memberships. */
export async function removeUsers(steps: Steps, users: HubDocument['users'], erase: Erase): Promise<void> {
  await steps.each(itemsOf('users', users).absent, 1, async (step, part) => {
    for (const { item } of part) {
      const user = await findAccount(step.tx, item.name);
      if (user?.kind !== 'user') continue;
      await erase(step.tx, step.caller, user);
      step.count('users', 'removed');
    }
  });
}
