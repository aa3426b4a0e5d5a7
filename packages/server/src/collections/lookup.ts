import { membershipRole, requirePermission, requireReach } from '../access/index.ts';
import { findAccount } from '../accounts/index.ts';
import type { Executor, ReadExecutor } from '../platform/database/transaction.ts';
import type { Principal } from '../platform/http/authenticate.ts';
import { forbidden, notFound } from '../platform/http/errors.ts';
import { idIn } from './policy.ts';
import { type CollectionKey, findCollection, lockCollection } from './store.ts';
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

/**
 * Throws 403 unless the caller may change the collections of an account: the caller's own, or those of an organization in
 * which the caller has the role write or above. `entityIds` are what the token may cover beside the account.
 */
export async function requireWriter(
  executor: ReadExecutor,
  principal: Principal,
  ownerId: string,
  entityIds: readonly string[] = [],
): Promise<void> {
  if (ownerId !== principal.userId) {
    const role = await membershipRole(executor, ownerId, principal.userId);
    if (role !== 'admin' && role !== 'write')
      throw forbidden("You don't have the rights to change the collections of this namespace");
  }
  requirePermission(principal, 'collection.write', [...entityIds, ownerId]);
}

/** Returns a collection that the caller may change, locked. Throws 404 if the caller may not read it, 403 otherwise. */
export async function requireChangeable(tx: Executor, principal: Principal, name: CollectionName) {
  const collection = await requireLocked(tx, principal, name);
  await requireWriter(tx, principal, collection.owner_id, [collection.id]);
  return collection;
}
