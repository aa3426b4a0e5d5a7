import type { Pause } from '../../cooperative.ts';
import type { ByteText } from '../objects/byte-text.ts';
import type { GitRepository } from '../repository.ts';
import { changedEntries } from './changed-entries.ts';
import { fileDiff } from './file-diff.ts';

const MAX_FILES = 300;
const MAX_BYTES = 8 * 1024 * 1024;

interface Trees {
  readonly before: string | undefined;
  readonly after: string;
}

/**
 * Returns the changes between two trees as a unified diff in git's format; comments in the diff name what was omitted.
 */
export async function treeDiff(repository: GitRepository, trees: Trees, pause: Pause): Promise<string> {
  const files: ByteText[] = [];
  let bytes = 0;
  let count = 0;
  for await (const entry of changedEntries(repository, trees, pause)) {
    count++;
    if (files.length >= MAX_FILES || bytes > MAX_BYTES) continue;
    const text = await fileDiff(repository, entry, pause);
    bytes += text.length;
    files.push(text);
  }
  if (count > files.length) files.push(`# ${count - files.length} more files changed: they are left out\n`);
  return Buffer.from(files.join(''), 'latin1').toString('utf8');
}
