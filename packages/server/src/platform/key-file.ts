import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const pathOf = (folder: string) => join(folder, 'secret.key');

function keyIn(path: string): string {
  const key = readFileSync(path, 'utf8').trim();
  if (key.length < 32) throw new Error(`The key file ${path} is damaged: it must have 32 characters or more.`);
  return key;
}

/** The key of a data folder that has one. */
export function readKey(folder: string): string | undefined {
  const path = pathOf(folder);
  return existsSync(path) ? keyIn(path) : undefined;
}

/** The key for secrets at rest of a data folder: made at first, readable by its owner only. */
export function readOrMakeKey(folder: string): string {
  const path = pathOf(folder);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // Written whole beside its place and then linked there: a crash leaves no half of a key behind.
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, randomBytes(32).toString('base64'), { mode: 0o600, flush: true });
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft);
  }
  return keyIn(path);
}
