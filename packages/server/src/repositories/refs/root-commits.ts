import type { RepoType } from '@moonbase/contract/primitives';
import { encodeCommit } from '../../platform/git/objects/commit.ts';
import { idOf } from '../../platform/git/objects/object.ts';
import type { Person } from '../../platform/git/objects/person.ts';
import { EMPTY_TREE_ID, firstTree } from './first-files.ts';

/** A commit without parents, as it is stored. */
export interface RootCommit {
  readonly sha: string;
  readonly body: string;
}

/** Returns a user as the author of a commit: the address shows the name and receives no mail. */
export const authorOf = (name: string, hubUrl: string, time: number): Person => ({
  name,
  email: `${name}@users.noreply.${new URL(hubUrl).hostname.replace(/[[\]]/g, '')}`,
  time,
});

function rootCommit(tree: string, message: string, author: Person): RootCommit {
  const body = encodeCommit({ tree, parents: [], author, committer: author, message });
  return { sha: idOf({ type: 'commit', body }), body: body.toString() };
}

/** Returns the commit with which a repository begins: its `.gitattributes`. */
export const initialCommit = (type: RepoType, author: Person): RootCommit =>
  rootCommit(firstTree(type), 'initial commit', author);

/** Returns the commit with which a branch begins that shares nothing with others. */
export const emptyCommit = (author: Person): RootCommit => rootCommit(EMPTY_TREE_ID, 'initial commit', author);
