import { createHash } from 'node:crypto';
import { RemoteFault } from '../../platform/outbound/remote/fault.ts';
import { toJson } from '../../platform/stored-form.ts';
import type { UpstreamAnswer } from '../remote/client.ts';
import { createJoining } from '../remote/joining.ts';
import type { Patience } from '../remote/patience.ts';
import type { FactParts } from './checking.ts';
import { type CommitKey, findAnswer, putAnswer } from './facts-store.ts';
import type { UpstreamRepos } from './repos.ts';

/** Something to ask about a commit, or about the whole repository. */
interface Question<T> {
  readonly at: CommitKey;
  readonly question: string;
  /** Whether the answer can change, so that it is asked for again after a while. */
  readonly changes: boolean;
  readonly ask: () => Promise<UpstreamAnswer>;
  /** Returns the content of an answer; undefined if it has another form. Throws if the answer is an error for callers. */
  readonly read: (answer: UpstreamAnswer) => T | undefined;
  /** Called with a content that was not known before. */
  readonly onNew?: (content: T) => Promise<void>;
}

interface Known {
  readonly answer: string;
  readonly next: string | undefined;
}

interface Dependencies extends FactParts {
  readonly patience: Patience;
  readonly repos: UpstreamRepos;
}

/** PostgreSQL limits the size of a key, so longer questions are stored as their hash. */
const MAX_KEY_BYTES = 500;

const keyOf = (question: string): string =>
  Buffer.byteLength(question) > MAX_KEY_BYTES ? createHash('sha256').update(question).digest('hex') : question;

/** Creates the function that returns the answer to a question as JSON: what is kept, or else what the upstream says. */
export function createQuestions({ database, clock, patience, repos, capacity }: Dependencies) {
  const join = createJoining<Known>();

  async function keep(
    at: CommitKey,
    question: string,
    { answer, next = null }: { answer: string; next?: string | null },
  ) {
    const { bytes } = await repos.use(at);
    if (!(await capacity.takes(bytes, answer.length))) return;
    const row = { ...at, question, answer, next, fetched_at: clock.now() };
    await database.transaction((tx) => putAnswer(tx, row));
  }

  return async <T>(what: string, given: Question<T>): Promise<Known> => {
    const { at, changes, ask, read, onNew } = given;
    const question = keyOf(given.question);
    const fetch = () =>
      join(`${at.repo_id} ${at.commit_id} ${question}`, async () => {
        const answered = await ask();
        const content = read(answered);
        if (content === undefined)
          throw new RemoteFault(`It answered in a form that is not known (status ${answered.status})`);
        const answer = toJson(content);
        await keep(at, question, { answer, next: answered.next ?? null });
        await onNew?.(content);
        return { answer, next: answered.next };
      });
    const kept = await findAnswer(database.read, at, question);
    if (!kept) return patience.need(what, fetch);
    await repos.use(at);
    const stored = { answer: kept.answer, next: kept.next ?? undefined };
    if (!changes || repos.isFresh(kept.fetched_at)) return stored;
    return (await patience.hope(fetch)) ?? stored;
  };
}
