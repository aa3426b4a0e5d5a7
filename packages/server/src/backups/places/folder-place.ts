import { rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { partialOf, writeWhole } from '../../platform/backup/whole-file.ts';
import { makeFolder } from '../../platform/durable-folders.ts';
import { codeOf } from '../../platform/error-text.ts';
import type { BackupPlace } from './place.ts';

/** Keeps backups in a folder, which is created if it is missing. */
export function createFolderPlace(path: string): BackupPlace {
  const folder = resolve(path);
  const fileOf = (name: string) => join(folder, name);

  return {
    name: folder,

    async write(name, work) {
      await makeFolder(folder, { durable: true });
      const result = await writeWhole(fileOf(name), work);
      return { result, bytes: (await stat(fileOf(name))).size };
    },

    sizeOf: (name) =>
      stat(fileOf(name)).then(
        ({ size }) => size,
        (error: unknown) => {
          if (codeOf(error) !== 'ENOENT') throw error;
          return undefined;
        },
      ),

    clear: (name) => rm(partialOf(fileOf(name)), { force: true }),
    delete: (name) => rm(fileOf(name), { force: true }),
    close: async () => {},
  };
}
