import type { Pause } from '../../cooperative.ts';
import { insertByTime, type LoggedCommit } from '../history.ts';
import type { Commit } from '../objects/commit.ts';

export interface CommitReader {
  readCommit(id: string): Promise<Commit>;
}

const FROM_ONE = 1;
const FROM_OTHERS = 2;
const FROM_BOTH = FROM_ONE | FROM_OTHERS;
/** Marks an ancestor of a common ancestor, which cannot be a best one. */
const STALE = 4;

/** The commits yet to be visited, newest first, and the number of those that may still lead to a result. */
class Frontier {
  readonly flags = new Map<string, number>();
  readonly #reader: CommitReader;
  readonly #queue: LoggedCommit[] = [];
  readonly #queued = new Set<string>();
  #open = 0;

  constructor(reader: CommitReader) {
    this.#reader = reader;
  }

  flagsOf = (id: string): number => this.flags.get(id) ?? 0;

  async add(id: string, more: number): Promise<void> {
    const before = this.flagsOf(id);
    const after = before | more;
    if (after === before) return;
    this.flags.set(id, after);
    const wasOpen = this.#queued.has(id) && (before & STALE) === 0;
    const isOpen = (after & STALE) === 0;
    this.#open += Number(isOpen) - Number(wasOpen);
    if (this.#queued.has(id)) return;
    this.#queued.add(id);
    insertByTime(this.#queue, { ...(await this.#reader.readCommit(id)), id });
  }

  /** Returns the next commit as long as a common ancestor may still be found. */
  take() {
    if (this.#open === 0) return undefined;
    const next = this.#queue.pop();
    if (!next) return undefined;
    this.#queued.delete(next.id);
    if ((this.flagsOf(next.id) & STALE) === 0) this.#open--;
    return next;
  }
}

/** Walks back from a commit and from some others until all of their best common ancestors are found. */
async function walk(reader: CommitReader, one: string, others: readonly string[], pause: Pause) {
  const frontier = new Frontier(reader);
  const common = new Set<string>();
  await frontier.add(one, FROM_ONE);
  for (const other of others) await frontier.add(other, FROM_OTHERS);
  for (let next = frontier.take(); next; next = frontier.take()) {
    let flags = frontier.flagsOf(next.id);
    if ((flags & FROM_BOTH) === FROM_BOTH) {
      if ((flags & STALE) === 0) common.add(next.id);
      flags |= STALE;
    }
    for (const parent of next.parents) await frontier.add(parent, flags);
    const waiting = pause();
    if (waiting) await waiting;
  }
  const { flags, flagsOf } = frontier;
  return { common: [...common].filter((id) => (flagsOf(id) & STALE) === 0), flags, flagsOf };
}

/** Returns the commits that one commit leads to and none of the others does. Wrong commit times can add some. */
export async function commitsOnlyIn(
  reader: CommitReader,
  one: string,
  others: readonly string[],
  pause: Pause,
): Promise<string[]> {
  const { flags } = await walk(reader, one, others, pause);
  return [...flags].filter(([, flag]) => (flag & FROM_BOTH) === FROM_ONE).map(([id]) => id);
}

/**
 * Returns the best common ancestors of two commits, none of which is an ancestor of another, whatever the commit times.
 */
export async function mergeBases(reader: CommitReader, one: string, other: string, pause: Pause): Promise<string[]> {
  if (one === other) return [one];
  const { common } = await walk(reader, one, [other], pause);
  if (common.length < 2) return common;
  const best: string[] = [];
  for (const id of common) {
    const { flagsOf } = await walk(
      reader,
      id,
      common.filter((each) => each !== id),
      pause,
    );
    if ((flagsOf(id) & FROM_OTHERS) === 0) best.push(id);
  }
  return best.sort();
}
