import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { UploadFile } from '@moonbase/client/files';
import { FailedError, reasonOf, UsageError } from '../program/failure.ts';
import type { PathFilter } from './globs.ts';
import { localSource } from './local-source.ts';
import { filesBelow } from './walk.ts';

/** Returns a file, the chosen files of a folder, or standard input, with their paths in the repository. */
export async function localFiles(
  from: string,
  to: string | undefined,
  chosen: PathFilter,
  stdin: AsyncIterable<Uint8Array | string>,
): Promise<UploadFile[]> {
  if (from === '-') {
    if (!to) throw new UsageError('Standard input needs a path in the repository: moonbase upload <repo> - <path>.');
    return [{ path: to, content: await blobOf(stdin) }];
  }
  const found = await stat(from).catch((error: unknown) => {
    throw new FailedError(`Cannot read ${from}: ${reasonOf(error)}`);
  });
  if (!found.isDirectory()) {
    const path = to === undefined || to.endsWith('/') ? `${to ?? ''}${basename(from)}` : to;
    return [{ path, content: await localSource(from) }];
  }
  const prefix = to === undefined || to === '.' || to === '/' ? '' : `${to.replace(/\/+$/, '')}/`;
  const below = (await filesBelow(from)).filter(({ path }) => chosen(path));
  return Promise.all(below.map(async ({ path, file }) => ({ path: prefix + path, content: await localSource(file) })));
}

async function blobOf(stdin: AsyncIterable<Uint8Array | string>): Promise<Blob> {
  const parts: (string | Uint8Array<ArrayBuffer>)[] = [];
  for await (const part of stdin) parts.push(typeof part === 'string' ? part : new Uint8Array(part));
  return new Blob(parts);
}
