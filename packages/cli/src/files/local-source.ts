import { open, stat } from 'node:fs/promises';
import { type FileSource, streamOf } from '@moonbase/client/files';
import { FailedError, reasonOf } from '../program/failure.ts';

const CHUNK_BYTES = 1024 * 1024;

/** Returns a local file as a source whose bytes are read on demand. */
export async function localSource(path: string): Promise<FileSource> {
  try {
    return sliceOf(path, 0, (await stat(path)).size);
  } catch (error) {
    throw new FailedError(`Cannot read ${path}: ${reasonOf(error)}`);
  }
}

const sliceOf = (path: string, start: number, end: number): FileSource => ({
  size: end - start,
  slice: (from, to) => sliceOf(path, start + from, start + to),
  stream: () => streamOf(chunksOf(path, start, end)),
});

async function* chunksOf(path: string, start: number, end: number): AsyncGenerator<Uint8Array, void> {
  const file = await open(path, 'r').catch((error: unknown) => {
    throw new FailedError(`Cannot read ${path}: ${reasonOf(error)}`);
  });
  try {
    for (let at = start; at < end; ) {
      const chunk = new Uint8Array(Math.min(CHUNK_BYTES, end - at));
      const { bytesRead } = await file.read(chunk, 0, chunk.length, at);
      if (bytesRead === 0) throw new FailedError(`${path} was shortened while it was read.`);
      yield chunk.subarray(0, bytesRead);
      at += bytesRead;
    }
  } finally {
    await file.close();
  }
}
