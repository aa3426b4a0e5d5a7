import type { Executor } from '../platform/database/transaction.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { notFound } from '../platform/http/errors.ts';
import { type Repository, updateRepo } from '../repositories/index.ts';
import type { RecordMirrorChange } from './audit.ts';
import { deleteMirror, findMirror } from './store.ts';

/** Creates the function that ends the mirroring of a locked repository; its content stays. Throws 404 if it is no mirror. */
export const createEnding =
  (record: RecordMirrorChange) =>
  async (tx: Executor, caller: Caller, repo: Repository): Promise<void> => {
    const before = await findMirror(tx, repo.id);
    if (!before) throw noMirror();
    await deleteMirror(tx, repo.id);
    await updateRepo(tx, repo.id, { mirrored: 0 });
    await record(tx, caller, repo, { before, after: undefined });
  };

export const noMirror = () => notFound('The repository is not a mirror');
