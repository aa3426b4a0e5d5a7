import type { ReadExecutor } from '../platform/database/transaction.ts';
import { parseCommit } from '../platform/git/objects/commit.ts';
import { type GitObject, type NamedObject, withId } from '../platform/git/objects/object.ts';
import type { GitRepository } from '../platform/git/repository.ts';
import { ROOT_TREES, type RootCommit, rootCommitsOf } from '../repositories/index.ts';

const ROOT_OBJECTS = new Map([...ROOT_TREES.values()].flat().map((object) => [object.id, object]));

/** Returns the objects of a root commit, the commit itself last. */
export function withTree({ body }: RootCommit): NamedObject[] {
  const commit = withId({ type: 'commit', body: Buffer.from(body) });
  return [...(ROOT_TREES.get(parseCommit(commit.body).tree) ?? []), commit];
}

/** Returns an object of a root commit that is a row; undefined if there is none. */
export async function rootObject(read: ReadExecutor, repoId: string, id: string): Promise<GitObject | undefined> {
  const standard = ROOT_OBJECTS.get(id);
  if (standard) return standard;
  const commit = (await rootCommitsOf(read, repoId)).find(({ sha }) => sha === id);
  return commit && { type: 'commit', body: Buffer.from(commit.body) };
}

/** Returns the objects of root commits that a repository has only as rows. */
export async function absentRoots(
  read: ReadExecutor,
  repoId: string,
  repository: Pick<GitRepository, 'has'>,
): Promise<NamedObject[]> {
  const absent: NamedObject[] = [];
  for (const commit of await rootCommitsOf(read, repoId))
    if (!(await repository.has(commit.sha))) absent.push(...withTree(commit));
  return absent;
}
