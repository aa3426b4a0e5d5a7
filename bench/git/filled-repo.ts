import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createRepo } from '@moonbase/client/repositories';
import { type gitClient, remoteOf } from '../../packages/server/test/git-client.ts';
import type { BenchHub } from '../hub.ts';

const FILES_PER_FOLDER = 100;

export type GitClient = Awaited<ReturnType<typeof gitClient>>;

/** A repository of the hub with files that stock git pushed. */
export interface FilledRepo {
  readonly name: string;
  /** The URL with credentials, as clients of git take it. */
  readonly remote: string;
  /** The bare repository on the disk of the hub. */
  readonly folder: string;
  /** The name of the clone from which the files were pushed. */
  readonly clone: string;
}

/** Creates a model and pushes random files of 10 kB to it. */
export async function fillRepo(hub: BenchHub, client: GitClient, name: string, files: number): Promise<FilledRepo> {
  const { id } = await createRepo({ ...hub.connection, type: 'model', repo: name });
  const remote = remoteOf(hub.connection, name);
  const clone = name.replace('/', '-');
  await client.run('.', 'clone', '--quiet', remote, clone);
  for (let at = 0; at < files; at += FILES_PER_FOLDER) {
    const folder = join(client.folder, clone, `folder-${at / FILES_PER_FOLDER}`);
    await mkdir(folder);
    for (let file = at; file < Math.min(at + FILES_PER_FOLDER, files); file++)
      await writeFile(join(folder, `file-${file}`), randomBytes(10_000));
  }
  await client.run(clone, 'add', '--all');
  await client.run(clone, 'commit', '--quiet', '--message', 'Add files');
  await client.run(clone, 'push', '--quiet', 'origin', 'HEAD:main');
  const data = hub.environment.MOONBASE_DATA_DIR ?? '';
  return { name, remote, clone, folder: join(data, 'git', id.slice(0, 2), `${id}.git`) };
}
