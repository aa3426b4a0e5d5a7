import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Creates a folder that is deleted after the current test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'moonbase-compat-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Creates a file `model.bin` that is deleted after the current test; returns its path. */
export async function fileWith(bytes: Uint8Array): Promise<string> {
  const path = join(await temporaryFolder(), 'model.bin');
  await writeFile(path, bytes);
  return path;
}
