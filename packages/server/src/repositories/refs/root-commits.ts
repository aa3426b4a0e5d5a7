import type { RepoType } from '@moonbase/contract/primitives';
import { encodeCommit } from '../../platform/git/objects/commit.ts';
import { idOf } from '../../platform/git/objects/object.ts';
import type { Person } from '../../platform/git/objects/person.ts';
import { EMPTY_TREE_ID, firstTree } from './first-files.ts';

/** A commit without parents, stored as a row. */
export interface RootCommit {
  readonly sha: string;
  readonly body: string;
}

/** Returns a user as the author of a commit, with an address that shows the user's name but receives no mail. */
export const authorOf = (name: string, hubUrl: string, time: number): Person => ({
  name,
  email: `${name}@users.noreply.${new URL(hubUrl).hostname.replace(/[[\]]/g, '')}`,
  time,
});

function rootCommit(tree: string, message: string, author: Person): RootCommit {
  const body = encodeCommit({ tree, parents: [], author, committer: author, message });
  return { sha: idOf({ type: 'commit', body }), body: body.toString() };
}

/** Returns the first commit of a new repository, which adds `.gitattributes`. */
export const initialCommit = (type: RepoType, author: Person): RootCommit =>
  rootCommit(firstTree(type), 'initial commit', author);

/** Returns an empty first commit for a branch without shared history. */
export const emptyCommit = (author: Person): RootCommit => rootCommit(EMPTY_TREE_ID, 'initial commit', author);
