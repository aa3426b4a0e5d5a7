import type { Pause } from '../../in-turns.ts';
import { insertByTime, type LoggedCommit } from '../history.ts';
import type { Commit } from '../objects/commit.ts';

export interface CommitReader {
  readCommit(id: string): Promise<Commit>;
}

const FROM_ONE = 1;
const FROM_OTHERS = 2;
const FROM_BOTH = FROM_ONE | FROM_OTHERS;
/** Behind a common ancestor: not the best one. */
const BEHIND = 4;

/** The commits that are still to be looked at, the newest first, and how many of them may lead to something. */
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
    const wasOpen = this.#queued.has(id) && (before & BEHIND) === 0;
    const isOpen = (after & BEHIND) === 0;
    this.#open += Number(isOpen) - Number(wasOpen);
    if (this.#queued.has(id)) return;
    this.#queued.add(id);
    insertByTime(this.#queue, { ...(await this.#reader.readCommit(id)), id });
  }

  /** Returns the next commit while one may still be, or lead to, a common ancestor. */
  take() {
    if (this.#open === 0) return undefined;
    const next = this.#queue.pop();
    if (!next) return undefined;
    this.#queued.delete(next.id);
    if ((this.flagsOf(next.id) & BEHIND) === 0) this.#open--;
    return next;
  }
}

/** Walks back from a commit and from some others until all that they have in common is found. */
async function walk(reader: CommitReader, one: string, others: readonly string[], pause: Pause) {
  const frontier = new Frontier(reader);
  const common = new Set<string>();
  await frontier.add(one, FROM_ONE);
  for (const other of others) await frontier.add(other, FROM_OTHERS);
  for (let next = frontier.take(); next; next = frontier.take()) {
    let flags = frontier.flagsOf(next.id);
    if ((flags & FROM_BOTH) === FROM_BOTH) {
      if ((flags & BEHIND) === 0) common.add(next.id);
      flags |= BEHIND;
    }
    for (const parent of next.parents) await frontier.add(parent, flags);
    const waiting = pause();
    if (waiting) await waiting;
  }
  return { common: [...common].filter((id) => (frontier.flagsOf(id) & BEHIND) === 0), flagsOf: frontier.flagsOf };
}

/** Returns the best common ancestors of two commits, whatever the times of commits say: none is behind another. */
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
