import { type FileHandle, mkdir, open, writeFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';

/** Makes a folder with exactly this mode, whatever the mask of the process. */
export async function makeFolder(path: string | Buffer, mode = 0o755): Promise<void> {
  await mkdir(path);
  const folder = await open(path);
  await withFile(folder, () => folder.chmod(mode));
}

/** Writes a file that does not exist yet, with exactly this mode and, if one is given, this time of change in milliseconds. */
export async function writeNewFile(
  path: string | Buffer,
  bytes: Readable,
  { mode, mtime, signal }: { readonly mode: number; readonly mtime?: number; readonly signal: AbortSignal },
): Promise<void> {
  const file = await open(path, 'wx', mode).catch((error: unknown) => {
    bytes.destroy();
    throw error;
  });
  await withFile(file, async () => {
    await file.chmod(mode);
    await writeFile(file, bytes, { signal });
    if (mtime !== undefined) await file.utimes(new Date(mtime), new Date(mtime));
  });
}

async function withFile(file: FileHandle, use: () => Promise<void>): Promise<void> {
  try {
    await use();
  } finally {
    await file.close();
  }
}
