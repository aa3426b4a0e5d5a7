import type { HubDocument } from '@moonbase/contract/admin/hub-document';
import { soleAdminOf } from '../access/index.ts';
import {
  type Account,
  type Accounts,
  accountNameFault,
  deleteToken,
  findAccount,
  findToken,
  findTokenByHash,
  fineGrainedText,
  updateToken,
} from '../accounts/index.ts';
import type { Erase } from '../members/index.ts';
import { sha256 } from '../platform/secrets.ts';
import { isWeakToken, STRONG_TOKEN } from '../platform/weak-tokens.ts';
import { type Application, differing, itemsOf } from './application.ts';

type HubUser = HubDocument['users'][number];
type HubToken = HubUser['tokens'][number];

/** Creates users or brings them to the given values, with their tokens. */
export async function applyUsers(run: Application, users: HubDocument['users'], accounts: Accounts): Promise<void> {
  for (const { item, path } of itemsOf('users', users).present) {
    await run.breathe();
    const user = await applyUser(run, item, path, accounts);
    if (!user) continue;
    for (const [at, token] of item.tokens.entries())
      await applyToken(run, user, token, `${path}.tokens.${at}`, accounts);
  }
}

async function applyUser(
  run: Application,
  item: HubUser,
  path: string,
  accounts: Accounts,
): Promise<Account | undefined> {
  const wanted: Partial<Account> = {
    ...(item.fullname !== undefined && { fullname: item.fullname }),
    ...(item.email !== undefined && { email: item.email }),
    ...(item.avatarUrl !== undefined && { avatar_url: item.avatarUrl }),
    ...(item.pro !== undefined && { pro: item.pro ? 1 : 0 }),
    ...(item.admin !== undefined && { site_admin: item.admin ? 1 : 0 }),
  };
  const existing = await findAccount(run.tx, item.name);
  if (existing && existing.kind !== 'user') return run.fault(`${path}.name`, 'is the name of an organization');
  if (existing) {
    if (item.admin === false && existing.id === run.caller.principal.userId)
      return run.fault(`${path}.admin`, 'you cannot take this right from yourself');
    const change = differing(existing, wanted);
    if (change) await accounts.update(run.tx, existing, change);
    run.count('users', change ? 'updated' : 'unchanged');
    return existing;
  }
  const fault = accountNameFault(item.name);
  if (fault) return run.fault(`${path}.name`, fault);
  run.count('users', 'created');
  return accounts.create(run.tx, { kind: 'user', name: item.name, ...wanted });
}

async function applyToken(
  run: Application,
  user: Account,
  item: HubToken,
  path: string,
  accounts: Accounts,
): Promise<void> {
  const existing = await findToken(run.tx, user.id, item.name);
  if (item.state === 'absent') {
    if (!existing) return;
    if (existing.id === run.caller.principal.token.id) return run.fault(path, 'is the token that you are calling with');
    await deleteToken(run.tx, existing.id);
    return run.count('tokens', 'removed');
  }
  const holder = item.token && (await findTokenByHash(run.tx, sha256(item.token)));
  if (holder && holder.id !== existing?.id) return run.fault(`${path}.token`, 'is in use as another access token');
  if (item.token && isWeakToken(item.token))
    run.report.warnings.push(
      `The token ${item.name} of ${user.name} can be guessed: leave it out, or take ${STRONG_TOKEN}`,
    );
  if (!existing) {
    const token = await accounts.createToken(run.tx, {
      userId: user.id,
      displayName: item.name,
      role: item.role ?? 'write',
      token: item.token,
      fineGrained: item.scopes,
    });
    if (item.token === undefined) run.report.newTokens.push({ user: user.name, name: item.name, token });
    return run.count('tokens', 'created');
  }
  const role = item.role ?? existing.role;
  const change = differing(existing, {
    role,
    ...(role !== 'fineGrained' && { fine_grained: null }),
    ...(role === 'fineGrained' && item.scopes && { fine_grained: fineGrainedText(item.scopes) }),
    ...(item.token !== undefined && { hash: sha256(item.token), last4: item.token.slice(-4) }),
  });
  if (change) await updateToken(run.tx, existing.id, change);
  run.count('tokens', change ? 'updated' : 'unchanged');
}

/** Removes users with their repositories, posts, articles and memberships. */
export async function removeUsers(run: Application, users: HubDocument['users'], erase: Erase): Promise<void> {
  for (const { item, path } of itemsOf('users', users).absent) {
    await run.breathe();
    const user = await findAccount(run.tx, item.name);
    if (user?.kind !== 'user') continue;
    const organization = await soleAdminOf(run.tx, user.id);
    if (user.id === run.caller.principal.userId) run.fault(path, 'you cannot remove yourself');
    else if (organization) run.fault(path, `is the only admin of ${organization}`);
    else {
      await erase(run.tx, run.caller, user);
      run.count('users', 'removed');
    }
  }
}
