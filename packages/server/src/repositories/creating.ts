import { requireNamespace, requireNamespaceInGroup, roleOf, settingsOf } from '../access/index.ts';
import { type Account, findAccount } from '../accounts/index.ts';
import type { Clock } from '../platform/clock.ts';
import { sqlFault } from '../platform/database/sql-errors.ts';
import type { Database, Executor } from '../platform/database/transaction.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { badRequest, conflict, type HubError, notFound } from '../platform/http/errors.ts';
import type { Ids } from '../platform/ids.ts';
import { type createRepoChanges, isPrivate, type RepoSettings } from './changes.ts';
import type { NewSpace, SpaceSetup } from './new-space.ts';
import { repoNameFault } from './policy.ts';
import { repoUrls } from './present.ts';
import { addedFiles, type CardMetadata } from './refs/first-card.ts';
import type { NewContent } from './refs/new-content.ts';
import { authorOf, initialCommit, type RootCommit } from './refs/root-commits.ts';
import {
  deleteTombstones,
  findRepo,
  fullName,
  insertTombstones,
  ownedBy,
  type RepoName,
  type Repository,
  repoFacts,
} from './store.ts';

/** An initial file of a new repository. */
export interface FirstFile {
  readonly path: string;
  readonly content: string;
  readonly encoding?: 'utf-8' | 'base64' | undefined;
}

/** Commits the initial files of a repository that has no row yet, on top of its root commit. */
export type WriteFirstFiles = (
  caller: Caller,
  repo: { readonly id: string; readonly root: RootCommit },
  files: readonly FirstFile[],
) => Promise<NewContent>;

export interface NewRepoSettings extends RepoSettings {
  readonly sdk?: string | undefined;
  /** The resource group that the repository is created in. */
  readonly resourceGroupId?: string | null | undefined;
  readonly space?: NewSpace | undefined;
}

/** Writes content to the disk before the repository's row exists. */
export type WriteContent = (repo: { readonly id: string; readonly createdAt: number }) => Promise<NewContent>;

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly changes: Pick<ReturnType<typeof createRepoChanges>, 'insert'>;
  readonly writeFirstFiles: WriteFirstFiles;
  readonly newSpaces: SpaceSetup;
}

/** What a request says of a new repository. */
interface NewRepo extends NewRepoSettings {
  readonly files?: readonly FirstFile[] | undefined;
  /** Metadata for the card that the repository begins with. */
  readonly card?: CardMetadata | undefined;
}

/** The verb that creates repositories. */
export function createRepoCreation({ database, clock, ids, changes, writeFirstFiles, newSpaces }: Dependencies) {
  /** Returns the future owner of a repository. Throws 403 or 404 if the caller may not create the repository. */
  async function requireOwner(tx: Executor, caller: Caller, name: RepoName, groupId: string | undefined) {
    const owner = await findAccount(tx, name.namespace);
    if (!owner) throw notFound(`There is no user or organization named ${name.namespace}`);
    if (groupId === undefined) await requireNamespace(tx, caller.principal, owner.id, name.type);
    else await requireNamespaceInGroup(tx, caller.principal, owner, groupId);
    return owner;
  }

  const present = (caller: Caller, repo: Repository) => ({
    url: repoUrls(caller.baseUrl, repo.type, fullName(repo)).web,
    name: fullName(repo),
    id: repo.id,
  });

  /** Returns the 409 for a name in use, with `url` and `id` if the caller may see the repository. */
  async function nameTaken(caller: Caller, name: RepoName): Promise<HubError> {
    const existing = await findRepo(database.read, name);
    const isVisible = existing && (await roleOf(database.read, caller.principal, repoFacts(existing)));
    // A caller who may not see the repository learns only that the name is in use.
    if (!isVisible) return nameTakenBySomebody(name);
    const { url, id } = present(caller, existing);
    return conflict(`You already created this ${name.type} repo`, { url, id });
  }

  /** Writes the content first; until the row exists, the folder counts as that of a deleted repository. */
  async function prewrite(caller: Caller, name: RepoName, groupId: string | undefined, write: WriteContent) {
    const reserved = { id: ids(), createdAt: clock.now() };
    await database.transaction(async (tx) => {
      await requireOwner(tx, caller, name, groupId);
      await insertTombstones(tx, [reserved.id], reserved.createdAt);
    });
    if (await findRepo(database.read, name)) throw await nameTaken(caller, name);
    return { ...reserved, content: await write(reserved) };
  }

  /** Creates a repository with the content that `write` puts into its folder. Throws 409 if the name is in use. */
  async function createWith(caller: Caller, name: RepoName, settings: NewRepoSettings, write?: WriteContent) {
    requireRepoName(name.name);
    refuseProtected(name.type, settings);
    newSpaces.requireValid(name.type, settings.space ?? {});
    const groupId = settings.resourceGroupId?.toLowerCase();
    const prewritten = write && (await prewrite(caller, name, groupId, write));
    try {
      return await database.transaction(async (tx) => {
        const owner = await requireOwner(tx, caller, name, groupId);
        const target = { ...name, ownerId: owner.id, ...ownedBy(owner) };
        const { sdk, gated } = settings;
        const repo = await changes.insert(
          tx,
          caller,
          target,
          { private: await isNewPrivate(tx, owner, settings), sdk, groupId, gated },
          prewritten,
        );
        if (prewritten) await deleteTombstones(tx, [prewritten.id]);
        if (settings.space) await newSpaces.insert(tx, caller, repo, settings.space);
        return present(caller, repo);
      });
    } catch (error) {
      throw sqlFault(error) === 'unique' ? await nameTaken(caller, name) : error;
    }
  }

  return {
    createWith,

    /** Throws 409 if the name is in use, with `url` and `id` if the caller may see the repository. */
    create(caller: Caller, name: RepoName, { files: given = [], card, ...settings }: NewRepo) {
      const files = [...addedFiles(name, { sdk: settings.sdk, ...card }, given), ...given];
      if (files.length === 0) return createWith(caller, name, settings);
      if (name.type === 'bucket') throw badRequest('body.files: buckets have no commits');
      return createWith(caller, name, settings, ({ id, createdAt }) => {
        const root = initialCommit(name.type, authorOf(caller.principal.userName, caller.hubUrl, createdAt));
        return writeFirstFiles(caller, { id, root }, files);
      });
    },
  };
}

/** Returns whether a new repository is private: as the request says, or else its organization. */
export async function isNewPrivate(tx: Executor, owner: Account, settings: RepoSettings): Promise<boolean> {
  const wanted = isPrivate(settings);
  if (wanted !== undefined || owner.kind !== 'org') return wanted ?? false;
  return (await settingsOf(tx, owner.id)).default_repo_visibility === 'private';
}

/** Returns the 409 for a name in use that says no more; clients look for this text. */
export const nameTakenBySomebody = ({ type, namespace, name }: RepoName): HubError =>
  conflict(`A ${type} repository called ${namespace}/${name} already exists`);

export function refuseProtected(type: RepoName['type'], settings: RepoSettings): void {
  if (settings.visibility === 'protected' && type !== 'space')
    throw badRequest('body.visibility: protected is for Spaces only');
}

export function requireRepoName(name: string): void {
  const fault = repoNameFault(name);
  if (fault) throw badRequest(`The name ${name} ${fault}`);
}
