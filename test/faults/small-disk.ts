import { execFileSync } from 'node:child_process';
import { chownSync, closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SmallDisk extends AsyncDisposable {
  readonly path: string;
  /** Fills all free space. */
  fill(): void;
  /** Frees the space that `fill` has taken. */
  free(): void;
}

const BLOCK = Buffer.alloc(4096, 1);

/** Mounts a small file system in memory; undefined if this machine does not allow it. */
export function mountSmallDisk(
  mebibytes: number,
  owner: { readonly uid?: number; readonly gid?: number } = {},
): SmallDisk | undefined {
  const path = mkdtempSync(join(tmpdir(), 'moonbase-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m,mode=0700`, 'tmpfs', path], { stdio: 'ignore' });
  } catch {
    rmSync(path, { recursive: true });
    return undefined;
  }
  if (owner.uid !== undefined && owner.gid !== undefined) chownSync(path, owner.uid, owner.gid);
  const ballast = join(path, 'ballast');
  return {
    path,
    fill() {
      const file = openSync(ballast, 'a');
      try {
        for (;;) writeSync(file, BLOCK);
      } catch (error) {
        if ((error as { code?: string }).code !== 'ENOSPC') throw error;
      } finally {
        closeSync(file);
      }
    },
    free: () => rmSync(ballast, { force: true }),
    async [Symbol.asyncDispose]() {
      execFileSync('umount', ['--lazy', path]);
      rmSync(path, { recursive: true, force: true });
    },
  };
}
