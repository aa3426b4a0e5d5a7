import type { HubDocument } from '@moonbase/contract/admin/hub-document';
import { nameKey } from '../../accounts/index.ts';
import { faultsOfFiles } from '../../content/index.ts';
import type { Principal } from '../../platform/http/authenticate.ts';
import type { Issue } from '../../platform/http/errors.ts';
import { sha256 } from '../../platform/secrets.ts';
import { repoNameFault } from '../../repositories/index.ts';
import { type Check, checkNewAccount } from './check-account.ts';
import { checkOrganizations, checkRemovals } from './check-organizations.ts';
import { checkSpace } from './check-spaces.ts';
import { type HubState, pairKey } from './hub-state.ts';
import { itemsOf, repoNameOf } from './items.ts';

/**
 * Returns the faults of a document, in the order in which it would be applied. Throws 409 for names of deleted
 * organizations, and if an organization would have no enabled admin.
 */
export function faultsOf(document: HubDocument, state: HubState, principal: Principal): readonly Issue[] {
  const faults: Issue[] = [];
  const check: Check = {
    ...{ state, principal, faults },
    fault: (path, message) => {
      faults.push({ path: `body.${path}`, message });
    },
  };
  checkUsers(check, document);
  checkOrganizations(check, document);
  checkRepos(check, document);
  checkPapers(check, document);
  checkPosts(check, 'posts', document.posts);
  checkPosts(check, 'articles', document.articles);
  checkRemovals(check, document);
  return faults;
}

const isUser = ({ state }: Check, name: string): boolean => state.accounts.get(nameKey(name))?.kind === 'user';

function checkUsers(check: Check, { users }: HubDocument): void {
  for (const { item, path } of itemsOf('users', users).present) {
    const existing = check.state.accounts.get(nameKey(item.name));
    if (existing && existing.kind !== 'user') check.fault(`${path}.name`, 'is the name of an organization');
    else if (existing && item.admin === false && existing.id === check.principal.userId)
      check.fault(`${path}.admin`, 'you cannot take this right from yourself');
    else {
      const user = existing ?? checkNewAccount(check, 'user', item.name, path);
      if (user) checkTokens(check, user.id, item.tokens, `${path}.tokens`);
    }
  }
}

function checkTokens(
  { state, principal, fault }: Check,
  userId: string,
  tokens: HubDocument['users'][number]['tokens'],
  path: string,
): void {
  for (const [at, item] of tokens.entries()) {
    const key = pairKey(userId, item.name);
    const existing = state.tokens.get(key);
    if (item.state === 'absent') {
      if (existing?.id === principal.token.id) fault(`${path}.${at}`, 'is the token that you are calling with');
      else if (existing) {
        state.tokens.delete(key);
        if (existing.hash !== undefined) state.tokensByHash.delete(existing.hash);
      }
      continue;
    }
    const hash = item.token === undefined ? undefined : sha256(item.token);
    const holder = hash === undefined ? undefined : state.tokensByHash.get(hash);
    if (holder && holder !== existing) {
      fault(`${path}.${at}.token`, 'is in use as another access token');
      continue;
    }
    const token = existing ?? {};
    if (hash !== undefined) {
      if (token.hash !== undefined) state.tokensByHash.delete(token.hash);
      token.hash = hash;
      state.tokensByHash.set(hash, token);
    }
    state.tokens.set(key, token);
  }
}

function checkRepos(check: Check, { repos }: HubDocument): void {
  const { state, fault } = check;
  for (const { item, path } of itemsOf('repos', repos).present) {
    const { namespace, name } = repoNameOf(item);
    const nameFault = state.accounts.has(nameKey(namespace))
      ? repoNameFault(name)
      : `there is no user or organization named ${namespace}`;
    if (nameFault !== undefined && !state.legacyRepos.has(pairKey(item.type, item.name)))
      fault(`${path}.name`, nameFault);
    if (item.files && item.type === 'bucket') fault(`${path}.files`, 'are not for buckets');
    for (const { path: file, message } of faultsOfFiles(item.files ?? {}))
      fault(`${path}.files.${file.slice(0, 200)}`, message);
    checkSpace(check, item, path);
  }
}

function checkPapers(check: Check, { papers }: HubDocument): void {
  for (const { item, path } of itemsOf('papers', papers).present)
    for (const [at, { user }] of (item.authors ?? []).entries())
      if (user !== undefined && !isUser(check, user))
        check.fault(`${path}.authors.${at}.user`, `there is no user named ${user}`);
}

/** Only one article of a slug can be reached without its author's name. */
function checkPosts(check: Check, list: 'posts' | 'articles', items: HubDocument['articles']): void {
  const { canonical } = check.state;
  for (const { item, path } of itemsOf(list, items).present) {
    const author = check.state.accounts.get(nameKey(item.author));
    if (author?.kind !== 'user') {
      check.fault(`${path}.author`, `there is no user named ${item.author}`);
      continue;
    }
    const holder = list === 'articles' ? canonical.get(item.slug) : undefined;
    if (item.canonical && holder !== undefined && holder !== author.id)
      check.fault(`${path}.canonical`, 'another canonical article has this slug');
    else if (item.canonical) canonical.set(item.slug, author.id);
    else if (item.canonical === false && holder === author.id) canonical.delete(item.slug);
  }
}
