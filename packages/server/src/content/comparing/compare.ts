import type { ReadExecutor } from '../../platform/database/transaction.ts';
import type { ReadingCaller } from '../../platform/http/authenticate.ts';
import { badRequest } from '../../platform/http/errors.ts';
import { type RepoName, readRepoFiles } from '../../repositories/index.ts';
import type { RepositoryObjects } from '../objects.ts';
import type { Revisions } from '../reading/revisions.ts';
import type { Diff } from './diff.ts';

/** Two dots always separate two revisions, because no name of a ref contains two dots in a row. */
const COMPARED = /^(.+?)(\.{2,3})(?!\.)(.+)$/;

interface Dependencies {
  readonly read: ReadExecutor;
  readonly objects: RepositoryObjects;
  readonly revisions: Revisions;
  readonly diff: Diff;
}

/**
 * The verb that compares two revisions: `a..b`, or `a...b` for the changes on `b` since the fork. A revision that ends
 * in `^` stands for the first parent of its commit, or for an empty tree if the commit has no parent.
 */
export const createCompare =
  ({ read, objects, revisions, diff }: Dependencies) =>
  async (caller: ReadingCaller, name: RepoName, compared: string): Promise<string> => {
    const repo = await readRepoFiles(read, caller, name);
    const [, from, dots, to] = COMPARED.exec(compared) ?? [];
    if (from === undefined || to === undefined)
      throw badRequest('Name two revisions with two or three dots between them, such as main..dev');
    const commitOf = async (revision: string): Promise<string | undefined> => {
      const named = revision.replace(/\^$/, '');
      const { commit } = await revisions.resolve(repo, [{ revision: named, path: '' }]);
      return named === revision ? commit : (await objects.open(repo.id).readCommit(commit)).parents[0];
    };
    const [before, after] = [await commitOf(from), await commitOf(to)];
    if (after === undefined) throw badRequest(`The commit of ${to.slice(0, -1)} has no parent`);
    return diff(repo.id, { from: before, to: after, sinceFork: dots === '...' });
  };
