import type { BucketChange } from '@moonbase/contract/repositories/bucket-events';
import type { LargeFiles } from '../content/index.ts';
import type { Clock } from '../platform/clock.ts';
import { afterCommit, type Database, type Executor } from '../platform/database/transaction.ts';
import type { Events } from '../platform/events/events.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { HubError } from '../platform/http/errors.ts';
import type { Signals } from '../platform/queue/signals.ts';
import { toJson } from '../platform/stored-form.ts';
import {
  lockWritableRepo,
  type RepoName,
  type Repository,
  readRepo,
  recordRepoEvent,
  updateRepo,
} from '../repositories/index.ts';
import { filesOfBucket, filesSent } from './bytes-store.ts';
import { insertChanges } from './change-store.ts';
import { EMPTY_FILES } from './empty-files.ts';
import { type BatchLine, readLines } from './lines.ts';
import { pathFault } from './paths.ts';
import { presentChange } from './present.ts';
import { copiedBy, findSources, isCopy, type Sources, takeFrom } from './sources.ts';
import { changeTotal, deleteFiles, type FileBytes, filesAt, notNeeded, putFiles } from './store.ts';
import type { BucketFileRow } from './tables.ts';

/** The number of lines that one transaction applies. */
const PART_LINES = 1000;

const NOT_SENT = 'The bucket was not sent a file with this hash in the last day; upload the file again';
const NOT_COPIED = 'The source has no file with this hash, or you cannot read the source';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly events: Events;
  readonly largeFiles: Pick<LargeFiles, 'claimRoom' | 'copySome' | 'delete' | 'find'>;
  /** Wakes those who follow a bucket, by its id. */
  readonly signals: Signals;
}

interface BatchRequest {
  readonly body: AsyncIterable<Uint8Array>;
  /** Returns the caller as of now. Throws 401 if the credentials are not valid any more. */
  readonly callerNow: () => Promise<Caller>;
}

interface Failure {
  readonly path: string;
  readonly error: string;
}

/** What a path has after some lines: a file, or none. */
type Outcomes = ReadonlyMap<string, FileToPut | undefined>;

type FileToPut = FileBytes & { readonly mtime: number | undefined; readonly contentType: string | null };

type FindBytes = (line: Exclude<BatchLine, { type: 'deleteFile' }>) => FileBytes | undefined;

/** Returns what the lines come to, one after the other, and those that cannot be done. */
function outcomesOf(lines: readonly BatchLine[], bytesOf: FindBytes): { outcomes: Outcomes; failed: Failure[] } {
  const outcomes = new Map<string, FileToPut | undefined>();
  const failed: Failure[] = [];
  for (const line of lines) {
    const fault = pathFault(line.path);
    const bytes = fault !== undefined || line.type === 'deleteFile' ? undefined : bytesOf(line);
    if (fault !== undefined) failed.push({ path: line.path, error: fault });
    else if (line.type === 'deleteFile') outcomes.set(line.path, undefined);
    else if (!bytes) failed.push({ path: line.path, error: isCopy(line) ? NOT_COPIED : NOT_SENT });
    else
      outcomes.set(line.path, {
        ...{ ...bytes, mtime: line.mtime ?? undefined, contentType: line.contentType ?? null },
      });
  }
  return { outcomes, failed };
}

/** Returns the row of a file; the row that is there if nothing changes. */
function rowOf(
  path: string,
  { mtime, contentType, ...bytes }: FileToPut,
  { before, bucketId, now }: { before: BucketFileRow | undefined; bucketId: string; now: number },
): BucketFileRow {
  const isSame = before?.sha256 === bytes.sha256 && before.xet_hash === bytes.xet_hash;
  if (isSame && before.content_type === contentType && (mtime ?? before.mtime) === before.mtime) return before;
  return { bucket_id: bucketId, path, ...bytes, mtime: mtime ?? now, uploaded_at: now, content_type: contentType };
}

export type Change = ReturnType<typeof createBatch>;

/** The verb that adds, copies and deletes files of a bucket. */
export function createBatch({ database, clock, events, largeFiles, signals }: Dependencies) {
  const { read } = database;

  /** Returns the function that finds the bytes that a line names. */
  async function findBytes(
    tx: Executor,
    { id }: Repository,
    lines: readonly BatchLine[],
    sources: Sources,
  ): Promise<FindBytes> {
    const hashes = lines.flatMap((line) => (line.type === 'addFile' ? [line.xetHash] : []));
    const sent = await filesSent(tx, id, hashes);
    const had = await filesOfBucket(
      tx,
      id,
      hashes.filter((hash) => !sent.has(hash)),
    );
    const copied = lines.flatMap((line) => (isCopy(line) ? (copiedBy(sources, line)?.sha256 ?? []) : []));
    const taken = await largeFiles.find(tx, id, copied);
    return (line) => {
      const empty = EMPTY_FILES.get(line.xetHash);
      if (empty) return empty;
      if (!isCopy(line)) return sent.get(line.xetHash) ?? had.get(line.xetHash);
      const bytes = copiedBy(sources, line);
      return bytes && taken.has(bytes.sha256) ? bytes : undefined;
    };
  }

  /** Stores what the paths have now, and notes the changes for those who follow the bucket. Returns whether there are any. */
  async function store(tx: Executor, bucket: Repository, outcomes: Outcomes, now: number): Promise<boolean> {
    const { id: bucketId } = bucket;
    const before = new Map((await filesAt(tx, bucketId, [...outcomes.keys()])).map((row) => [row.path, row]));
    const puts: BucketFileRow[] = [];
    const replaced: BucketFileRow[] = [];
    const deleted: string[] = [];
    const changes: BucketChange[] = [];
    for (const [path, file] of outcomes) {
      const known = before.get(path);
      const row = file && rowOf(path, file, { before: known, bucketId, now });
      if (row === known) continue;
      if (row) puts.push(row);
      else deleted.push(path);
      if (known) replaced.push(known);
      changes.push(presentChange(path, known, row));
    }
    if (changes.length === 0) return false;
    if (deleted.length > 0) await deleteFiles(tx, bucketId, deleted);
    await putFiles(tx, puts);
    const bytesOf = (rows: readonly BucketFileRow[]) => rows.reduce((sum, { size }) => sum + size, 0);
    const number = await changeTotal(tx, bucketId, {
      files: puts.length - replaced.length,
      bytes: bytesOf(puts) - bytesOf(replaced),
    });
    const key = { bucket_id: bucketId, number, at: now };
    await insertChanges(tx, { ...key, private: bucket.private, changes: toJson(changes) });
    afterCommit(tx, () => signals.send([bucketId]));
    const old = [...new Set(replaced.map(({ sha256 }) => sha256))];
    if (old.length > 0) await largeFiles.delete(tx, bucketId, await notNeeded(tx, bucketId, old));
    return true;
  }

  const applyPart = (caller: Caller, name: RepoName, lines: readonly BatchLine[]): Promise<Failure[]> =>
    database.transaction(async (tx) => {
      const sources = await findSources(tx, caller, lines.filter(isCopy));
      // The quota locks the owner, who is locked before the bucket.
      const bucket = await readRepo(tx, caller, name, 'repo.write');
      await takeFrom(tx, largeFiles, { sources, bucket, userId: caller.principal.userId });
      const repo = await lockWritableRepo(tx, caller, name);
      const { outcomes, failed } = outcomesOf(lines, await findBytes(tx, repo, lines, sources));
      const now = clock.now();
      if (await store(tx, repo, outcomes, now)) {
        await updateRepo(tx, repo.id, { last_modified: now });
        await recordRepoEvent(events, tx, caller, repo, {
          ...{ scope: 'repo.content', action: 'update' },
          extra: { updatedRefs: [] },
        });
      }
      return failed;
    });

  return async (caller: Caller, name: RepoName, { body, callerNow }: BatchRequest) => {
    await readRepo(read, caller, name, 'repo.write');
    const lines = await readLines(body);
    const failed: Failure[] = [];
    for (let at = 0; at < lines.length; at += PART_LINES)
      failed.push(...(await applyPart(await callerNow(), name, lines.slice(at, at + PART_LINES))));
    const result = {
      ...{ success: failed.length === 0, processed: lines.length, succeeded: lines.length - failed.length, failed },
    };
    const [first] = failed;
    if (first && failed.length === lines.length) throw new HubError(422, first.error, { fields: result });
    return result;
  };
}
