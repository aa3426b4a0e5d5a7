import { Readable } from 'node:stream';
import type { Clock } from '../../platform/clock.ts';
import { TreeConflict } from '../../platform/git/tree-changes.ts';
import { authorOf, type WriteFirstFiles } from '../../repositories/index.ts';
import { refusalOf } from '../committing/commit.ts';
import { makeCommit } from '../committing/make-commit.ts';
import { readUpload } from '../committing/upload.ts';
import type { RepositoryObjects } from '../objects.ts';

interface Dependencies {
  readonly clock: Clock;
  readonly objects: RepositoryObjects;
}

/** Returns the function that commits the initial files of a new repository on top of its root commit. */
export const createFirstFiles =
  ({ clock, objects }: Dependencies): WriteFirstFiles =>
  async (caller, { id, root }, files) => {
    const repository = objects.open(id);
    const writer = repository.writer();
    const body = Readable.from([Buffer.from(JSON.stringify({ summary: 'Add files', files }))]);
    try {
      const upload = await readUpload(body, { isDocument: true, writer, findLargeFiles: async () => new Map() });
      await objects.begin(id, [root]);
      const author = authorOf(caller.principal.userName, caller.hubUrl, clock.now());
      const commit = await makeCommit({ repository, writer, author }, root.sha, upload);
      return { head: commit ?? root.sha, roots: [root] };
    } catch (error) {
      throw error instanceof TreeConflict ? refusalOf(error) : error;
    } finally {
      await writer.discard();
    }
  };
