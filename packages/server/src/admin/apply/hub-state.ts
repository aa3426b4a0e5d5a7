import { setImmediate } from 'node:timers/promises';
import type { HubDocument } from '@moonbase/contract/admin/hub-document';
import type { BuiltInRole } from '@moonbase/contract/primitives';
import { deletedKey, findTokensOf, nameKey } from '../../accounts/index.ts';
import type { ReadExecutor } from '../../platform/database/transaction.ts';
import { sha256 } from '../../platform/secrets.ts';
import { findRepo, repoNameFault } from '../../repositories/index.ts';
import {
  accountsByKeys,
  adminedBy,
  adminsOf,
  canonicalAuthors,
  customRolesOf,
  rolesOf,
  tokensByHash,
} from './hub-state-store.ts';
import { repoNameOf } from './items.ts';
import { readSpaces, type SpacesState } from './space-state.ts';

export interface KnownAccount {
  readonly id: string;
  readonly kind: 'user' | 'org';
  readonly enabled: boolean;
}

export interface KnownToken {
  readonly id?: string;
  hash?: string | undefined;
}

export interface KnownRole {
  readonly name: string;
  readonly base: BuiltInRole;
}

export interface KnownOrganization {
  readonly name: string;
  /** User id to whether the user is enabled. */
  readonly admins: Map<string, boolean>;
}

/** The state of everything that a document mentions. Checks update it to the state that would result. */
export interface HubState extends SpacesState {
  /** By `nameKey(name)`. */
  readonly accounts: Map<string, KnownAccount>;
  /** Names that deleted organizations reserve. */
  readonly keptNames: ReadonlySet<string>;
  /** By user and name. */
  readonly tokens: Map<string, KnownToken>;
  readonly tokensByHash: Map<string, KnownToken>;
  /** By id: organizations in the document, and those whose admins are to be removed. */
  readonly organizations: Map<string, KnownOrganization>;
  /** By organization and user, for members in the document. */
  readonly roles: Map<string, KnownRole>;
  /** By organization and name. */
  readonly customRoles: ReadonlyMap<string, KnownRole>;
  /** Existing repositories whose names are no longer allowed for new ones. */
  readonly legacyRepos: ReadonlySet<string>;
  /** Slug to author of the canonical article. */
  readonly canonical: Map<string, string>;
}

/** Combines two strings to a key. */
export const pairKey = (one: string, other: string): string => `${one} ${other}`;

/** The maximum number of values per query, so that other requests run in between. */
const MAX_VALUES = 1000;

async function inParts<Row>(values: Iterable<string>, read: (part: readonly string[]) => Promise<readonly Row[]>) {
  const all = [...new Set(values)];
  const rows: Row[] = [];
  for (let from = 0; from < all.length; from += MAX_VALUES) {
    for (const row of await read(all.slice(from, from + MAX_VALUES))) rows.push(row);
    // SQLite is synchronous.
    await setImmediate();
  }
  return rows;
}

function* namesIn({ users, organizations, repos, papers, posts, articles }: HubDocument): Generator<string> {
  for (const { name } of users) yield name;
  for (const { name, members } of organizations) {
    yield name;
    for (const { user } of members) yield user;
  }
  for (const { name } of repos) yield name.split('/')[0] ?? '';
  for (const { authors } of papers) for (const { user } of authors ?? []) if (user !== undefined) yield user;
  for (const { author } of [...posts, ...articles]) yield author;
}

/** Reads the state that a document is checked against, with one query per thousand items of a kind. */
export async function readHubState(read: ReadExecutor, document: HubDocument): Promise<HubState> {
  const keys = [...new Set([...namesIn(document)].map(nameKey))];
  const found = await inParts(keys, (part) => accountsByKeys(read, part));
  const accounts = new Map(
    found.map(({ id, kind, name_key, disabled_at }) => [name_key, { id, kind, enabled: disabled_at === null }]),
  );
  const kept = await inParts(
    [...document.users, ...document.organizations].map(({ name }) => deletedKey(name)),
    (part) => accountsByKeys(read, part),
  );
  const idOf = (name: string) => accounts.get(nameKey(name))?.id ?? '';
  const given = document.users.flatMap(({ tokens }) => tokens.flatMap(({ token }) => token ?? []));
  const withTokens = document.users.filter(({ tokens }) => tokens.length > 0);
  const tokens = new Map<string, KnownToken>();
  const byHash = new Map<string, KnownToken>();
  for (const { id, user_id, display_name, hash } of await inParts(
    withTokens.map(({ name }) => idOf(name)),
    (part) => findTokensOf(read, part),
  )) {
    const token = { id, hash };
    tokens.set(pairKey(user_id, display_name), token);
    byHash.set(hash, token);
  }
  for (const { id, hash } of await inParts(given.map(sha256), (part) => tokensByHash(read, part)))
    if (!byHash.has(hash)) byHash.set(hash, { id, hash });
  const canonical = new Map<string, string>();
  for (const { slug, author_id } of await inParts(
    document.articles.map(({ slug }) => slug),
    (part) => canonicalAuthors(read, part),
  ))
    if (!canonical.has(slug)) canonical.set(slug, author_id);
  return {
    ...{ accounts, tokens, tokensByHash: byHash, canonical },
    keptNames: new Set(kept.map(({ name }) => nameKey(name))),
    ...(await readOrganizations(read, document, idOf)),
    legacyRepos: await readLegacyRepos(read, document),
    ...(await readSpaces(read, document)),
  };
}

async function readOrganizations(read: ReadExecutor, document: HubDocument, idOf: (name: string) => string) {
  const gone = document.users.filter(({ state }) => state === 'absent').map(({ name }) => idOf(name));
  const adminned = await inParts(gone, async (part) => adminedBy(read, part));
  const named = document.organizations.map(({ name }) => idOf(name));
  const organizations = new Map<string, KnownOrganization>();
  for (const { orgId, orgName, userId, enabled } of await inParts([...named, ...adminned], (part) =>
    adminsOf(read, part),
  )) {
    const known = organizations.get(orgId) ?? { name: orgName, admins: new Map<string, boolean>() };
    known.admins.set(userId, enabled === 1);
    organizations.set(orgId, known);
  }
  const roles = new Map<string, KnownRole>();
  for (const { name, members } of document.organizations) {
    const orgId = idOf(name);
    const rows = await inParts(
      members.map(({ user }) => idOf(user)),
      (part) => rolesOf(read, orgId, part),
    );
    for (const { user_id, role, base_role } of rows)
      roles.set(pairKey(orgId, user_id), { name: role, base: base_role });
  }
  const custom = await inParts(named, (part) => customRolesOf(read, part));
  return {
    organizations,
    roles,
    customRoles: new Map(custom.map(({ org_id, name, name_key, base }) => [pairKey(org_id, name_key), { name, base }])),
  };
}

async function readLegacyRepos(read: ReadExecutor, { repos }: HubDocument): Promise<ReadonlySet<string>> {
  const odd = new Set<string>();
  for (const item of repos) {
    const name = repoNameOf(item);
    if (repoNameFault(name.name) !== undefined && (await findRepo(read, name))) odd.add(pairKey(item.type, item.name));
  }
  return odd;
}
