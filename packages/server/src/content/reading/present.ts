import type { TreeItem } from '@moonbase/contract/content/reading';
import type { z } from 'zod';
import { timestamp } from '../../platform/clock.ts';
import type { LoggedCommit } from '../../platform/git/history.ts';
import { isFolder, isModule } from '../../platform/git/objects/tree.ts';
import type { PathEntry } from '../../platform/git/tree-walk.ts';
import type { BlobFacts } from './blob-facts.ts';

/** Splits a commit message into its title and the rest. */
export function messageParts(message: string): { title: string; message: string } {
  const [title = '', ...rest] = message.trimEnd().split('\n');
  return { title, message: rest.join('\n').trim() };
}

interface EntryDetails {
  readonly lastCommit?: LoggedCommit | undefined;
  readonly xetHash?: string | undefined;
}

/** Presents a tree entry; `facts` are undefined for folders. */
export function presentEntry(
  entry: PathEntry,
  facts: BlobFacts | undefined,
  { lastCommit, xetHash }: EntryDetails,
): z.input<typeof TreeItem> {
  const pointer = facts?.pointer;
  return {
    type: isFolder(entry) || isModule(entry) ? 'directory' : 'file',
    oid: entry.id,
    size: pointer?.size ?? facts?.size ?? 0,
    path: entry.path,
    ...(pointer && { lfs: { oid: pointer.sha256, size: pointer.size, pointerSize: facts.size } }),
    ...(xetHash !== undefined && { xetHash }),
    ...(lastCommit && { lastCommit: presentCommit(lastCommit) }),
  };
}

const presentCommit = ({ id, message, committer }: LoggedCommit) => ({
  id,
  title: messageParts(message).title,
  date: timestamp(committer.time),
});

/** Presents a commit for the list of commits. */
export const presentLogged = (commit: LoggedCommit, formatted: boolean) => ({
  id: commit.id,
  ...messageParts(commit.message),
  authors: [{ user: commit.author.name }],
  date: timestamp(commit.author.time),
  ...(formatted && { formatted: messageParts(commit.message) }),
});
