import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/transaction.ts';
import type { Events } from '../../platform/events/events.ts';
import { pathFault } from '../../platform/git/paths.ts';
import { TreeConflict } from '../../platform/git/tree-changes.ts';
import type { Caller } from '../../platform/http/authenticate.ts';
import { conflict } from '../../platform/http/errors.ts';
import { authorOf, changeRef, findRepo, lockRepo, MAIN, type RepoName } from '../../repositories/index.ts';
import { refusalOf } from '../committing/commit.ts';
import { makeCommit } from '../committing/make-commit.ts';
import { MAX_REGULAR_BYTES } from '../committing/upload.ts';
import type { RepositoryObjects } from '../objects.ts';

const MAX_TRIES = 8;

/** Maps paths to texts. */
export type TextFiles = Readonly<Record<string, string>>;

/** Writes texts to `main` of a repository without checking the caller's access; writes no commit if nothing changes. */
export type PutFiles = (caller: Caller, name: RepoName, files: TextFiles) => Promise<void>;

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly events: Events;
  readonly objects: RepositoryObjects;
}

/** Returns the faults of files: invalid paths, excessive sizes, and files in place of folders. */
export function faultsOfFiles(files: TextFiles): { path: string; message: string }[] {
  const folders = new Set(
    Object.keys(files).flatMap((path) => [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index))),
  );
  return Object.entries(files).flatMap(([path, text]) => {
    const fault =
      pathFault(path) ??
      (folders.has(path) ? 'is a folder of another file' : undefined) ??
      (Buffer.byteLength(text) > MAX_REGULAR_BYTES ? 'must be at most 10 MiB' : undefined);
    return fault === undefined ? [] : [{ path, message: fault }];
  });
}

/** Returns the function that writes the files of a hub document. */
export function createPutFiles({ database, clock, events, objects }: Dependencies): PutFiles {
  const refPorts = { clock, events, onRefsChanged: objects.refsChanged };
  return async (caller, name, files) => {
    for (let tries = 1; tries <= MAX_TRIES; tries++) {
      const repo = await findRepo(database.read, name);
      const head = repo?.head_sha;
      if (!repo || !head) throw conflict(`The repository ${name.namespace}/${name.name} was changed in the meantime`);
      await objects.prepare(repo.id);
      const repository = objects.open(repo.id);
      const writer = repository.writer();
      try {
        const changes = [];
        for (const [path, text] of Object.entries(files))
          changes.push({ kind: 'put' as const, path, id: await writer.add({ type: 'blob', body: Buffer.from(text) }) });
        const author = authorOf(caller.principal.userName, caller.hubUrl, clock.now());
        const upload = { changes, summary: 'Apply files', description: '', parentCommit: undefined, largeFiles: [] };
        const commit = await makeCommit({ repository, writer, author }, head, upload);
        if (commit === undefined) return;
        const moved = await database.transaction(async (tx) => {
          const now = await lockRepo(tx, name);
          if (now?.id !== repo.id || now.head_sha !== head) return false;
          await changeRef(refPorts, tx, caller, now, MAIN, commit, { oldSha: head });
          return true;
        });
        if (moved) return;
      } catch (error) {
        throw error instanceof TreeConflict ? refusalOf(error) : error;
      } finally {
        await writer.discard();
      }
    }
    throw conflict('Other commits keep arriving on this branch; apply the document again');
  };
}
