import { RemoteFault } from '../../platform/outbound/remote/fault.ts';
import { toJson } from '../../platform/stored-form.ts';
import type { UpstreamAnswer } from '../remote/client.ts';
import { createJoining } from '../remote/joining.ts';
import { type CommitKey, findAnswer, putAnswer } from './facts-store.ts';
import type { FactParts, UpstreamRepos } from './repos.ts';

/** More answers about one commit are passed on, but not kept. */
export const MAX_KEPT_CHARACTERS = 64 * 1024 * 1024;

/** Something to ask about a commit, or about the whole repository. */
interface Question<T> {
  readonly at: CommitKey;
  readonly question: string;
  /** Whether the answer can change, so that it is asked for again after a while. */
  readonly changes: boolean;
  readonly ask: () => Promise<UpstreamAnswer>;
  /** Returns the content of an answer; undefined if it has another form. Throws if the answer is an error for callers. */
  readonly read: (answer: UpstreamAnswer) => T | undefined;
}

interface Known {
  readonly answer: string;
  readonly next: string | undefined;
}

/** Creates the function that returns the answer to a question as JSON: what is kept, or else what the upstream says. */
export function createQuestions({ database, clock, patience, repos }: FactParts & { readonly repos: UpstreamRepos }) {
  const join = createJoining<Known>();

  async function keep(
    at: CommitKey,
    question: string,
    { answer, next = null }: { answer: string; next?: string | null },
  ) {
    const { bytes } = await repos.use(at);
    if (bytes + answer.length > MAX_KEPT_CHARACTERS) return;
    const row = { ...at, question, answer, next, fetched_at: clock.now() };
    await database.transaction((tx) => putAnswer(tx, row));
  }

  return async <T>(what: string, { at, question, changes, ask, read }: Question<T>): Promise<Known> => {
    const fetch = () =>
      join(`${at.repo_id} ${at.commit_id} ${question}`, async () => {
        const given = await ask();
        const content = read(given);
        if (content === undefined)
          throw new RemoteFault(`It answered in a form that is not known (status ${given.status})`);
        const known = { answer: toJson(content), next: given.next };
        await keep(at, question, { answer: known.answer, next: known.next ?? null });
        return known;
      });
    const kept = await findAnswer(database.read, at, question);
    if (!kept) return patience.need(what, fetch);
    await repos.use(at);
    const stored = { answer: kept.answer, next: kept.next ?? undefined };
    if (!changes || repos.isFresh(kept.fetched_at)) return stored;
    return (await patience.hope(fetch)) ?? stored;
  };
}
