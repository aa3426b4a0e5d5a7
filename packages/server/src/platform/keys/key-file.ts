import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SecretKeys } from '../secrets.ts';

const pathOf = (folder: string) => join(folder, 'secret.key');

function keyIn(path: string): string {
  const key = readFileSync(path, 'utf8').trim();
  if (key.length < 32) throw new Error(`The key file ${path} is damaged: it must have 32 characters or more.`);
  return key;
}

const nextOf = (folder: string) => join(folder, 'secret.key.next');
const oldOf = (folder: string) => join(folder, 'secret.key.old');

/** The keys of a data folder that has one: two while secrets are being moved from one to the next. */
export function readKeys(folder: string): SecretKeys | undefined {
  if (!existsSync(pathOf(folder))) return undefined;
  const key = keyIn(pathOf(folder));
  return existsSync(nextOf(folder)) ? { key: keyIn(nextOf(folder)), old: key } : { key };
}

/** The keys for secrets at rest of a data folder: made at first, readable by its owner only. */
export function readOrMakeKeys(folder: string): SecretKeys {
  makeKey(pathOf(folder), folder);
  return readKeys(folder) as SecretKeys;
}

/** Makes the key that secrets are moved to, where there is none from a time before. */
export function makeNextKey(folder: string): void {
  if (existsSync(pathOf(folder))) makeKey(nextOf(folder), folder);
}

/** What was the next key is the key from now on; the one before stays as `secret.key.old`, for backups of its time. */
export function adoptNextKey(folder: string): void {
  rmSync(oldOf(folder), { force: true });
  linkSync(pathOf(folder), oldOf(folder));
  renameSync(nextOf(folder), pathOf(folder));
}

function makeKey(path: string, folder: string): void {
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
}
