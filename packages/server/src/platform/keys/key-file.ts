import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../error-text.ts';
import type { SecretKeys } from '../secrets.ts';

const pathOf = (folder: string) => join(folder, 'secret.key');

function keyIn(path: string): string {
  const key = readFileSync(path, 'utf8').trim();
  if (key.length < 32) throw new Error(`The key file ${path} is damaged: it must have 32 characters or more.`);
  return key;
}

const nextOf = (folder: string) => join(folder, 'secret.key.next');
const oldOf = (folder: string) => join(folder, 'secret.key.old');

/** Returns the keys of a data folder, if it has any: two while secrets are being moved from one to the other. */
export function readKeys(folder: string): SecretKeys | undefined {
  if (!existsSync(pathOf(folder))) return undefined;
  const key = keyIn(pathOf(folder));
  return existsSync(nextOf(folder)) ? { key: keyIn(nextOf(folder)), old: key } : { key };
}

/** Returns the keys of a data folder; creates a key, readable by its owner only, if there is none. */
export function readOrMakeKeys(folder: string): SecretKeys {
  makeKey(pathOf(folder), folder);
  const keys = readKeys(folder);
  if (!keys) throw new Error(`The key file of ${folder} was just made and is gone`);
  return keys;
}

/** Creates the key to which secrets are moved, unless an earlier run has created it. */
export function makeNextKey(folder: string): void {
  if (existsSync(pathOf(folder))) makeKey(nextOf(folder), folder);
}

/** Makes the next key the current one; the previous key stays as `secret.key.old` for older backups. */
export function adoptNextKey(folder: string): void {
  rmSync(oldOf(folder), { force: true });
  linkSync(pathOf(folder), oldOf(folder));
  renameSync(nextOf(folder), pathOf(folder));
}

function makeKey(path: string, folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // The key is written to a draft and then linked, so that a crash never leaves half a key behind.
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, randomBytes(32).toString('base64'), { mode: 0o600, flush: true });
  try {
    linkSync(draft, path);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(draft);
  }
}
