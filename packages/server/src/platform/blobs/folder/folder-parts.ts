import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type BlobStore,
  type Bytes,
  type MultipartUploads,
  type PartTag,
  unknownUpload,
  wrongParts,
} from '../blob-store.ts';
import { counted } from '../verified.ts';
import { writeNewFile } from './durable-files.ts';
import type { createSpace } from './free-space.ts';

/** The name of an upload: a folder with a file per part, named by part number and MD5. */
export const UPLOAD = /^[0-9a-f]{32}$/;

const READ_BYTES = 1024 * 1024;

interface Options {
  readonly folder: string;
  readonly openFolder: () => Promise<unknown>;
  readonly space: ReturnType<typeof createSpace>;
  /**
   * Stores the joined parts and verifies them in the same pass, so that a part that arrives late cannot change verified
   * bytes.
   */
  readonly put: BlobStore['put'];
}

/** Stores multipart uploads as separate files until they are completed. */
export function createFolderParts({ folder, openFolder, space, put }: Options): MultipartUploads {
  async function namesOf(upload: string): Promise<string[]> {
    if (!UPLOAD.test(upload)) throw unknownUpload();
    return readdir(join(folder, upload)).catch(() => {
      throw unknownUpload();
    });
  }

  async function abort(upload: string): Promise<void> {
    if (UPLOAD.test(upload)) await rm(join(folder, upload), { recursive: true, force: true });
  }

  return {
    abort,

    async begin() {
      await openFolder();
      const upload = randomBytes(16).toString('hex');
      await mkdir(join(folder, upload), { mode: 0o700 });
      return upload;
    },

    async put(upload, { number, size }, bytes) {
      const before = (await namesOf(upload)).filter((name) => name.startsWith(`${number}.`));
      const path = join(folder, upload, `${randomBytes(8).toString('hex')}-unfinished`);
      const hash = createHash('md5');
      return space.reserve(size, async () => {
        try {
          await writeNewFile(path, counted(size, bytes), (piece) => hash.update(piece));
          const name = `${number}.${hash.digest('hex')}`;
          await rename(path, join(folder, upload, name));
          for (const other of before) if (other !== name) await rm(join(folder, upload, other), { force: true });
          return `"${name.slice(name.indexOf('.') + 1)}"`;
        } finally {
          await rm(path, { force: true });
        }
      });
    },

    async complete(upload, blob, parts) {
      const names = await namesOf(upload);
      const paths = namesInOrder(parts).map((name) => {
        if (!names.includes(name)) throw wrongParts(`part ${name.split('.')[0]} is not the one that came`);
        return join(folder, upload, name);
      });
      try {
        await put(blob, joined(paths));
      } finally {
        await abort(upload);
      }
    },
  };
}

function namesInOrder(parts: readonly PartTag[]): string[] {
  return [...parts]
    .sort((a, b) => a.number - b.number)
    .map(({ number, etag }, at) => {
      if (number !== at + 1) throw wrongParts(`part ${at + 1} is missing or is there twice`);
      return `${number}.${etag.replace(/^"|"$/g, '')}`;
    });
}

async function* joined(paths: readonly string[]): Bytes {
  for (const path of paths) yield* createReadStream(path, { highWaterMark: READ_BYTES });
}
