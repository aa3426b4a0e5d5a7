import type { Executor, ReadExecutor } from '../../platform/database/transaction.ts';
import { presentThread } from '../inbox/present.ts';
import { isRepoType, type Subject } from '../inbox/subject.ts';
import { deletePreview, type FoundThread, findThreads, lockPreview, updatePreview } from './preview-store.ts';

/** The preview of a thread. */
export interface ThreadPreview {
  /** The repository, the paper, or the author of the post or article. */
  readonly sourceId: string;
  /** The JSON that `presentThread` returns. */
  readonly json: string;
  /** The column of `shown_threads` that refers to the thread. */
  readonly column: 'discussion_id' | 'paper_id' | 'post_id';
}

/** Returns the previews of threads as they are now, by id; threads that no longer exist have none. */
export async function readPreviews(
  executor: ReadExecutor,
  threadIds: readonly string[],
): Promise<Map<string, ThreadPreview>> {
  if (threadIds.length === 0) return new Map();
  return new Map((await findThreads(executor, threadIds)).map(previewOf));
}

const previewOf = ({ sourceId, thread }: FoundThread): [threadId: string, preview: ThreadPreview] => [
  thread.id,
  { sourceId, json: presentThread(thread), column: columnOf(thread.subject) },
];

function columnOf(subject: Subject): ThreadPreview['column'] {
  if (isRepoType(subject)) return 'discussion_id';
  return subject === 'paper' ? 'paper_id' : 'post_id';
}

/**
 * Stores the preview of a thread as it is now. The row is locked before the thread is read: of two transactions that do this
 * at once the second sees the changes of both.
 */
export async function refreshPreview(tx: Executor, threadId: string): Promise<void> {
  await lockPreview(tx, threadId);
  const preview = (await readPreviews(tx, [threadId])).get(threadId);
  if (!preview) return void (await deletePreview(tx, threadId));
  const { sourceId: source_id, json: body, column } = preview;
  await updatePreview(tx, threadId, { source_id, body, [column]: threadId });
}
