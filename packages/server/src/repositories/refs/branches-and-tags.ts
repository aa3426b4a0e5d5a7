import type { Database, Executor } from '../../platform/database/transaction.ts';
import type { Caller } from '../../platform/http/authenticate.ts';
import { badRequest, notFound } from '../../platform/http/errors.ts';
import type { RunRepoChange } from '../change-runner.ts';
import { BRANCH, MAIN, refNameFault, TAG } from '../policy.ts';
import { type RepoContents, readRepo } from '../reading.ts';
import { type RepoName, type Repository, refSha } from '../store.ts';
import { changeRef, moveRefs, type RefPorts } from './refs.ts';
import { insertRootCommit } from './root-commit-store.ts';
import { authorOf, emptyCommit } from './root-commits.ts';

/** Writes the object of an annotated tag, which no ref points to yet; returns its id. */
export type WriteTag = (
  caller: Caller,
  repoId: string,
  tag: { readonly name: string; readonly commit: string; readonly message: string },
) => Promise<string>;

interface Dependencies {
  readonly database: Database;
  readonly runChange: RunRepoChange;
  readonly contents: Pick<RepoContents, 'commitOf'> & { readonly writeTag: WriteTag };
  readonly ports: RefPorts;
}

/** The verbs on the branches and tags of a repository. */
export function createBranchesAndTags({ database, runChange, contents, ports }: Dependencies) {
  /** Stores an empty root commit for a branch without shared history; returns its id. */
  async function insertEmptyCommit(tx: Executor, caller: Caller, repo: Repository): Promise<string> {
    const commit = emptyCommit(authorOf(caller.principal.userName, caller.hubUrl, ports.clock.now()));
    await insertRootCommit(tx, repo.id, commit);
    return commit.sha;
  }

  /** Returns a repository that the caller may write to. Throws 400 for a bucket. */
  async function requireWritable(caller: Caller, name: RepoName): Promise<Repository> {
    const repo = await readRepo(database.read, caller, name, 'repo.write');
    requireHead(repo);
    return repo;
  }

  return {
    async createBranch(
      caller: Caller,
      name: RepoName,
      branch: string,
      {
        startingPoint = 'main',
        emptyBranch,
        overwrite,
      }: { startingPoint?: string | undefined; emptyBranch: boolean; overwrite: boolean },
    ) {
      requireRefName(branch);
      // The head of `main` is in the locked row; other commits are looked up on the disk, hence before the transaction.
      const start =
        emptyBranch || BRANCH + startingPoint === MAIN
          ? undefined
          : await contents.commitOf(await requireWritable(caller, name), startingPoint);
      await runChange(caller, name, async (tx, repo) => {
        const head = requireHead(repo);
        const oldSha = overwrite ? await refSha(tx, repo.id, BRANCH + branch) : undefined;
        const sha = emptyBranch ? await insertEmptyCommit(tx, caller, repo) : (start ?? head);
        await changeRef(ports, tx, caller, repo, BRANCH + branch, sha, { oldSha });
      });
    },

    /** Creates a tag; one with a message is annotated and has an object of its own. */
    async createTag(
      caller: Caller,
      name: RepoName,
      revision: string,
      { tag, message = '' }: { readonly tag: string; readonly message?: string | undefined },
    ) {
      const found = await requireWritable(caller, name);
      const commit = await contents.commitOf(found, revision);
      // Clients take a missing revision for the first fault, whatever the name is.
      requireRefName(tag);
      const isAnnotated = message.trim() !== '' && !(await refSha(database.read, found.id, TAG + tag));
      const tagId = isAnnotated ? await contents.writeTag(caller, found.id, { name: tag, commit, message }) : null;
      await runChange(caller, name, async (tx, repo) => {
        await moveRefs(ports, tx, caller, repo, [{ ref: TAG + tag, oldSha: null, newSha: commit, tagId }]);
      });
    },

    /** Deletes a branch or a tag by its full ref. */
    deleteRef: (caller: Caller, name: RepoName, ref: string) =>
      runChange(caller, name, async (tx, repo) => {
        if (ref === MAIN) throw badRequest(`Cannot delete ${ref}: it is the default branch`);
        if (!(await refSha(tx, repo.id, ref))) throw notFound(`Invalid rev id: ${ref}`, 'RevisionNotFound');
        await changeRef(ports, tx, caller, repo, ref, null);
      }),
  };
}

/** Returns the head of `main`. Throws 400 for a bucket. */
function requireHead({ head_sha: head }: Repository): string {
  if (head === null) throw badRequest('Buckets have no branches and no tags');
  return head;
}

function requireRefName(name: string): void {
  const fault = refNameFault(name);
  if (fault) throw badRequest(`The name ${name} ${fault}`);
}
