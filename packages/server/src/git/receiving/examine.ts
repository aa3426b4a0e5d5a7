import { MAX_POINTER_BYTES, MAX_REGULAR_BYTES, parsePointer } from '../../content/index.ts';
import type { GitRepository } from '../../platform/git/repository.ts';
import { BRANCH } from '../../repositories/index.ts';
import type { RefCommand } from './commands.ts';
import type { PushedFile } from './inspection.ts';

/** The most faults that a message names. */
const MAX_NAMED = 20;
const MEBIBYTE = 1024 * 1024;

/** A large file to which a push has a pointer. */
export interface PushedPointer {
  readonly sha256: string;
  readonly size: number;
  readonly path: string;
}

/** Why files of a push are refused. */
export interface FilesFault {
  /** A sentence, and below it the names of files. */
  readonly message: string;
  /** What whoever pushes can do. */
  readonly advice: string;
}

/** Where a ref goes: a commit, and the object of the tag if the ref is an annotated tag. */
export interface Target {
  readonly sha: string;
  readonly tagId: string | null;
}

/** Returns why files are refused because of their size, with their names, or undefined. */
export function sizeFault(files: readonly PushedFile[]): FilesFault | undefined {
  const large = files.filter(({ size }) => size > MAX_REGULAR_BYTES);
  if (large.length === 0) return undefined;
  const lines = large
    .slice(0, MAX_NAMED)
    .map(({ path, id, size }) => `  ${path || id} (${(size / MEBIBYTE).toFixed(1)} MiB)`);
  return {
    message: ['Files above 10 MiB must be stored with git-lfs:', ...lines, ...moreThan(MAX_NAMED, large.length)].join(
      '\n',
    ),
    advice: 'Run `git lfs migrate import --include="<paths>"`, then push again.',
  };
}

/** Returns which large files are missing, with the paths of their pointers, or undefined. */
export function pointerFault(
  pointers: readonly PushedPointer[],
  found: ReadonlyMap<string, unknown>,
): FilesFault | undefined {
  const missing = pointers.filter(({ sha256 }) => !found.has(sha256));
  if (missing.length === 0) return undefined;
  const lines = missing.slice(0, MAX_NAMED).map(({ path, sha256 }) => `  ${path} (${sha256})`);
  return {
    message: [
      'The repository does not have the large files of these pointers:',
      ...lines,
      ...moreThan(MAX_NAMED, missing.length),
    ].join('\n'),
    advice: 'Run `git lfs push --all <remote>`, then push again.',
  };
}

const moreThan = (shown: number, all: number): string[] => (all > shown ? [`  and ${all - shown} more`] : []);

/** Returns the pointers among the files of a push. */
export async function pointersIn(repository: GitRepository, files: readonly PushedFile[]): Promise<PushedPointer[]> {
  const pointers: PushedPointer[] = [];
  for (const { id, size, path } of files) {
    if (size < MIN_POINTER_BYTES || size >= MAX_POINTER_BYTES) continue;
    const pointer = parsePointer((await repository.read(id)).body);
    if (pointer) pointers.push({ ...pointer, path });
  }
  return pointers;
}

/** The shortest pointer: its first line, a SHA-256 and a size. */
const MIN_POINTER_BYTES = 120;

/** Returns where a ref would go, or why it cannot go there. */
export async function targetOf(
  repository: GitRepository,
  { ref, newId }: RefCommand,
): Promise<Target | string | undefined> {
  if (newId === null) return undefined;
  const { type } = await repository.header(newId);
  if (type === 'commit') return { sha: newId, tagId: null };
  if (ref.startsWith(BRANCH) || type !== 'tag') return `a ${type} cannot be its head`;
  try {
    return { sha: await repository.peel(newId), tagId: newId };
  } catch {
    return 'the tag does not lead to a commit';
  }
}
