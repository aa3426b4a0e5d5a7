import {
  entitiesOf,
  mayWrite,
  membershipRole,
  type RepoRole,
  requireNamespaceInGroup,
  requirePermission,
  requireReach,
  roleOf,
  tokenCovers,
} from '../access/index.ts';
import { type Account, findAccount } from '../accounts/index.ts';
import type { Executor, ReadExecutor } from '../platform/database/transaction.ts';
import type { Principal } from '../platform/http/authenticate.ts';
import { forbidden, notFound } from '../platform/http/errors.ts';
import { idIn } from './policy.ts';
import { type CollectionKey, collectionFacts, findCollection, lockCollection } from './store.ts';
import type { CollectionRow } from './tables.ts';

/** A collection as a path names it. */
export interface CollectionName {
  /** Undefined: only the id is given. */
  readonly namespace: string | undefined;
  /** The part behind the namespace. */
  readonly slug: string;
}

/** Returns by what a collection is found; undefined if the name says too little. */
export function keyOf({ namespace, slug }: CollectionName): CollectionKey | undefined {
  const id = idIn(slug);
  if (id !== undefined) return { id };
  return namespace === undefined ? undefined : { namespace, slug };
}

const collectionNotFound = () => notFound('Collection not found');

async function requireNamed(
  executor: ReadExecutor,
  principal: Principal,
  name: CollectionName,
  find: (key: CollectionKey) => Promise<CollectionRow | undefined>,
): Promise<CollectionRow> {
  // The namespace decides, so that a token that is cut off from it learns nothing.
  if (principal.token.cutOff && name.namespace !== undefined) {
    const owner = await findAccount(executor, name.namespace);
    if (owner) requireReach(principal, owner.id);
  }
  const key = keyOf(name);
  const found = key && (await find(key));
  if (!found) throw collectionNotFound();
  return found;
}

/** Returns a collection that the caller may read; throws 404 if there is none. */
export const requireCollection = (
  executor: ReadExecutor,
  principal: Principal,
  name: CollectionName,
): Promise<CollectionRow> => requireNamed(executor, principal, name, (key) => findCollection(executor, principal, key));

/** Like `requireCollection`, but locks the collection until the transaction ends. */
export const requireLocked = (tx: Executor, principal: Principal, name: CollectionName): Promise<CollectionRow> =>
  requireNamed(tx, principal, name, (key) => lockCollection(tx, principal, key));

const NOT_YOURS = "You don't have the rights to change the collections of this namespace";

/**
 * Throws 403 unless the caller may create collections of an account: the caller's own, or those of an organization in
 * which the caller has the role write or above; in a resource group that role is needed there.
 */
export async function requireCreator(
  executor: Executor,
  principal: Principal,
  owner: Account,
  groupId: string | undefined,
): Promise<void> {
  if (groupId !== undefined) return requireNamespaceInGroup(executor, principal, owner, groupId, 'collection');
  if (owner.id !== principal.userId) {
    const role = await membershipRole(executor, owner.id, principal.userId);
    if (role !== 'admin' && role !== 'write') throw forbidden(NOT_YOURS);
  }
  requirePermission(principal, 'collection.write', [owner.id]);
}

/** A locked collection, with the caller's role on it. */
interface Locked {
  readonly collection: CollectionRow;
  readonly role: RepoRole;
}

/** Returns a collection with the caller's role on it, locked. Throws 404 if the caller may not read it. */
export async function requireRole(tx: Executor, principal: Principal, name: CollectionName): Promise<Locked> {
  const collection = await requireLocked(tx, principal, name);
  const role = await roleOf(tx, principal, collectionFacts(collection), 'collection');
  if (!role) throw collectionNotFound();
  return { collection, role };
}

/**
 * Returns a collection that the caller may change, locked: with the role write or above, as on a repository. Throws 404 if
 * the caller may not read it, 403 otherwise.
 */
export async function requireChangeable(tx: Executor, principal: Principal, name: CollectionName): Promise<Locked> {
  const { collection, role } = await requireRole(tx, principal, name);
  const facts = collectionFacts(collection);
  if (!mayWrite(role, facts, principal.userId)) throw forbidden(NOT_YOURS);
  requirePermission(principal, 'collection.write', entitiesOf(facts));
  return { collection, role };
}

/** Returns whether `requireChangeable` lets the caller change a collection that the caller may read. */
export async function isChangeable(
  executor: ReadExecutor,
  principal: Principal,
  collection: CollectionRow,
): Promise<boolean> {
  const facts = collectionFacts(collection);
  const role = await roleOf(executor, principal, facts, 'collection');
  return (
    role !== undefined &&
    mayWrite(role, facts, principal.userId) &&
    tokenCovers(principal.token, 'collection.write', entitiesOf(facts))
  );
}
