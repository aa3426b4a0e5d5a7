import { mkdir, open, readdir, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { GitStore } from '../../platform/git/git-store.ts';
import { idsFrom } from '../../platform/git/packs/pack-index.ts';
import { startGit } from '../../platform/git/stock/git-process.ts';
import type { SlotHolder } from '../../platform/git/stock/git-slots.ts';
import { HubError } from '../../platform/http/errors.ts';
import { ABSENT } from './report.ts';

/** The maximum size of a pack. */
export const MAX_PACK_BYTES = 2 * 1024 ** 3;

/** The objects of a push, apart from the repository until they have been checked. */
export interface Quarantine extends AsyncDisposable {
  /** A folder like that of a repository. */
  readonly folder: string;
  /** Makes git see the objects of the push and of the repository. */
  readonly withRepository: Readonly<Record<string, string>>;
  /** Makes git see only the objects of the push. */
  readonly alone: Readonly<Record<string, string>>;
  readonly gitDir: string;
  /** Keeps upkeep from taking the quarantine for what a crash has left; to be called at least once an hour. */
  readonly touch: () => Promise<void>;
}

/** Creates an empty quarantine within the folder of a repository, and deletes it when disposed of. */
export async function openQuarantine(store: GitStore, repoId: string): Promise<Quarantine> {
  const gitDir = store.folderOf(repoId);
  const folder = store.temporaryFolder(repoId);
  const objects = join(folder, 'objects');
  await mkdir(join(objects, 'pack'), { recursive: true, mode: 0o700 });
  return {
    ...{ folder, gitDir },
    alone: { GIT_OBJECT_DIRECTORY: objects },
    withRepository: {
      GIT_OBJECT_DIRECTORY: objects,
      // Git splits the variable at colons unless a path is quoted.
      GIT_ALTERNATE_OBJECT_DIRECTORIES: JSON.stringify(join(gitDir, 'objects')),
    },
    async touch() {
      const now = new Date();
      await utimes(folder, now, now);
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

interface Unpacking {
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly maxBytes: number;
  /** How much of a refused pack is read, so that its client reads the response; if absent, reading ends with git. */
  readonly maxDroppedBytes?: number;
  /** Says that the pack has more than `maxBytes`. */
  readonly oversizeFault: string;
  /** Says that git was ended while it worked. */
  readonly stallFault: string;
  readonly hold: (holder: SlotHolder) => void;
}

/** The number of bytes of the hash at the end of a pack. */
const TRAILER = 20;

/**
 * Writes a pack into a quarantine, with the objects that its deltas refer to, and checks every object by the rules of
 * `git fsck`. Returns why the pack is refused, or else which objects of the repository were added to it.
 */
export async function unpack(
  { folder, gitDir, withRepository }: Quarantine,
  { bytes, maxBytes, maxDroppedBytes, oversizeFault, stallFault, hold }: Unpacking,
): Promise<string | { readonly added: readonly string[] }> {
  const args = ['--git-dir', gitDir, 'index-pack', '--stdin', '--fix-thin', '--strict', `--max-input-size=${maxBytes}`];
  await using git = await startGit({ args, environment: withRepository });
  hold(git);
  git.output.resume();
  let hasEnded = false;
  const ended = git.ended.finally(() => {
    hasEnded = true;
  });
  let received = 0;
  for await (const piece of bytes) {
    received += piece.length;
    if (hasEnded && maxDroppedBytes === undefined) break;
    if (maxDroppedBytes !== undefined && received > maxDroppedBytes)
      throw new HubError(413, 'The pack is far too large');
    // The rest is read all the same, so that the client reads the response.
    if (!hasEnded && !git.input.write(piece))
      await Promise.race([new Promise((resolve) => git.input.once('drain', resolve)), ended]);
  }
  git.input.end();
  const code = await ended;
  if (code === 0) return { added: await addedTo(folder, received - TRAILER) };
  if (code === null) return stallFault;
  return explain(git.report(), gitDir, oversizeFault);
}

/** Returns the objects that git has appended to a pack of the given size without its trailer. */
async function addedTo(folder: string, size: number): Promise<string[]> {
  const packs = join(folder, 'objects', 'pack');
  const name = (await readdir(packs)).find((each) => each.endsWith('.idx'));
  if (name === undefined) return [];
  await using index = await open(join(packs, name), 'r');
  return await idsFrom(index, size);
}

/** Returns the reason in the report of git, without the paths of this machine. */
function explain(report: string, gitDir: string, oversizeFault: string): string {
  if (/exceeds maximum allowed size/.test(report)) return oversizeFault;
  const [, absent] = /did not receive expected object ([0-9a-f]{40})/.exec(report) ?? [];
  if (absent !== undefined) return `${ABSENT}: ${absent}`;
  const lines = report.split(/[\r\n]+/).filter((line) => /^(fatal|error): /.test(line));
  const text = lines
    .slice(0, 3)
    .map((line) => line.replace(/^(fatal|error): /, ''))
    .join('; ');
  return text.replaceAll(gitDir, '').replace(/'?\/\S*tmp_obj_\S*/g, '') || 'the pack is damaged';
}
