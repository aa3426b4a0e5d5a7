import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A log may grow to 160 MB before it starts anew, and the database beside it; the file of the disk is sparse. */
const SIZE_MEBIBYTES = 1024;

export interface DiskImage extends AsyncDisposable {
  /** The mount point of the disk. */
  readonly path: string;
  /** Mounts, while `look` runs, the disk as a power cut would leave it now, without data that is only in memory. */
  afterPowerCut<T>(look: (path: string) => T): T;
}

const run = (command: string, ...args: string[]) => execFileSync(command, args, { stdio: 'ignore' });

/** Mounts an ext4 file system from a file; undefined if this machine does not allow it. */
export function mountDiskImage(): DiskImage | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'moonbase-image-'));
  const [image, path, cutImage, cutPath] = ['image', 'disk', 'image-cut', 'disk-cut'].map((name) => join(folder, name));
  if (!image || !path || !cutImage || !cutPath) return undefined;
  for (const each of [path, cutPath]) mkdirSync(each);
  try {
    run('truncate', '-s', `${SIZE_MEBIBYTES}M`, image);
    run('mkfs.ext4', '-q', '-F', image);
    run('mount', '-o', 'loop', image, path);
  } catch {
    rmSync(folder, { recursive: true });
    return undefined;
  }
  return {
    path,
    afterPowerCut(look) {
      run('cp', '--sparse=always', image, cutImage);
      run('mount', '-o', 'loop', cutImage, cutPath);
      try {
        return look(cutPath);
      } finally {
        run('umount', cutPath);
      }
    },
    async [Symbol.asyncDispose]() {
      run('umount', '--lazy', path);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
