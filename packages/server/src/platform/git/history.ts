import type { Commit } from './objects/commit.ts';
import type { GitRepository } from './repository.ts';

export interface LoggedCommit extends Commit {
  readonly id: string;
}

type Reader = Pick<GitRepository, 'readCommit'>;

/** Inserts a commit into a queue that is ordered from oldest to newest. */
export function insertByTime(queue: LoggedCommit[], commit: LoggedCommit): void {
  const { time } = commit.committer;
  let [low, high] = [0, queue.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((queue[middle]?.committer.time ?? 0) < time) low = middle + 1;
    else high = middle;
  }
  queue.splice(low, 0, commit);
}

/** Lists commits and their ancestors without duplicates, newest first. */
export async function* history(reader: Reader, heads: Iterable<string>): AsyncGenerator<LoggedCommit> {
  const seen = new Set<string>();
  const queue: LoggedCommit[] = [];
  const enter = async (id: string) => {
    if (seen.has(id)) return;
    seen.add(id);
    insertByTime(queue, { ...(await reader.readCommit(id)), id });
  };
  for (const head of heads) await enter(head);
  for (let next = queue.pop(); next; next = queue.pop()) {
    yield next;
    for (const parent of next.parents) await enter(parent);
  }
}
