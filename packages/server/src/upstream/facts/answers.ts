import type { z } from 'zod';
import { entryNotFound, type ResolvedPath } from '../../content/index.ts';
import type { PageOf } from '../../platform/http/pagination.ts';
import { RemoteFault } from '../../platform/outbound/remote/fault.ts';
import { parseJson, toJson } from '../../platform/stored-form.ts';
import { encodedPath } from '../remote/encoded-path.ts';
import { createJoining } from '../remote/joining.ts';
import type { Patience } from '../remote/patience.ts';
import type { UpstreamRepoRow } from '../tables.ts';
import { apiPath, type FactParts, INFO } from './checking.ts';
import { type Entry, entriesIn } from './entry.ts';
import { type CommitKey, findEntries, putEntries } from './facts-store.ts';
import { infoOf, Refs } from './info.ts';
import { createQuestions } from './questions.ts';
import type { UpstreamRepos } from './repos.ts';

/** A repository of the upstream at a commit. */
export interface AtCommit {
  readonly repo: UpstreamRepoRow;
  readonly commit: string;
}

const keyOf = ({ repo, commit }: AtCommit): CommitKey => ({ repo_id: repo.id, commit_id: commit });

interface Dependencies extends FactParts {
  readonly patience: Patience;
  readonly repos: UpstreamRepos;
}

/** PostgreSQL limits the size of a key: entries at longer paths are asked for each time. */
const MAX_PATH_BYTES = 1000;

export type UpstreamAnswers = ReturnType<typeof createAnswers>;

/** Answers questions about repositories of the upstream from what is kept, or asks and keeps the answer. */
export function createAnswers({ repos, ...parts }: Dependencies) {
  const { database, client, patience, capacity } = parts;
  const knownAnswer = createQuestions({ ...parts, repos });
  const joinEntries = createJoining<Map<string, Entry | undefined>>();

  /** Keeps what is at some paths, so that nobody has to ask about them again. */
  async function keepEntries(at: CommitKey, entries: ReadonlyMap<string, Entry | undefined>): Promise<void> {
    const rows = [...entries]
      .filter(([path]) => Buffer.byteLength(path) <= MAX_PATH_BYTES)
      .map(([path, entry]) => ({ ...at, path, entry: entry ? toJson(entry) : null }));
    const { bytes } = await repos.use(at);
    const characters = rows.reduce((sum, { path, entry }) => sum + path.length + (entry?.length ?? 0), 0);
    if (await capacity.takes(bytes, characters))
      await database.transaction((tx) => putEntries(tx, at, rows, characters));
  }

  return {
    /** Returns the info of a repository at a commit as JSON; `query` has the options of the request. */
    async info(of: AtCommit, query: string): Promise<string> {
      const { answer } = await knownAnswer(of.repo.name, {
        ...{ at: keyOf(of), question: INFO + query, changes: true },
        ask: () => client.get(apiPath(of.repo, `/revision/${of.commit}${query}`)),
        read: ({ json }) => infoOf(json, of.repo.id),
      });
      return answer;
    },

    /** Returns branches and tags as JSON. */
    async refs(repo: UpstreamRepoRow, withPullRequests: boolean): Promise<string> {
      const query = withPullRequests ? '?include_prs=1' : '';
      const { answer } = await knownAnswer(`The list of branches of ${repo.name}`, {
        ...{ at: { repo_id: repo.id, commit_id: '' }, question: `refs${query}`, changes: true },
        ask: () => client.get(apiPath(repo, `/refs${query}`)),
        read: ({ json }): z.output<typeof Refs> | undefined => Refs.safeParse(json).data,
      });
      return answer;
    },

    /** Returns a page of a folder. Throws 404 `EntryNotFound` if the commit has no such folder. */
    async tree(of: AtCommit, at: ResolvedPath, query: string): Promise<PageOf<Entry>> {
      const path = at.path === '' ? '' : `/${encodedPath(at.path)}`;
      const { answer, next } = await knownAnswer(`The list of files of ${of.repo.name}`, {
        ...{ at: keyOf(of), question: `tree ${path}${query}`, changes: false },
        ask: () => client.get(apiPath(of.repo, `/tree/${of.commit}${path}${query}`)),
        read({ status, json }) {
          if (status === 404) throw entryNotFound(at);
          return status === 200 ? entriesIn(json) : undefined;
        },
        onNew: (listed) => keepEntries(keyOf(of), new Map(listed.map((entry) => [entry.path, withoutCommit(entry)]))),
      });
      const items = parseJson<Entry[]>(answer);
      return { items, next };
    },

    /** Returns the entries at some paths, in their order, with their last commits; missing ones are left out. */
    async expanded(of: AtCommit, paths: readonly string[]): Promise<Entry[]> {
      const question = `paths ${JSON.stringify(paths)}`;
      const { answer } = await knownAnswer(`The list of files of ${of.repo.name}`, {
        ...{ at: keyOf(of), question, changes: false },
        ask: () => client.ask(apiPath(of.repo, `/paths-info/${of.commit}`), { paths, expand: true }),
        read: ({ status, json }) => (status === 200 ? entriesIn(json) : undefined),
      });
      return parseJson<Entry[]>(answer);
    },

    /** Returns the entries at some paths; undefined for a path at which there is none. */
    async entries(of: AtCommit, paths: readonly string[]): Promise<Map<string, Entry | undefined>> {
      const at = keyOf(of);
      const kept = await findEntries(database.read, at, paths);
      const found = new Map(
        kept.map(({ path, entry }) => [path, entry === null ? undefined : parseJson<Entry>(entry)]),
      );
      const unknown = paths.filter((path) => !found.has(path));
      if (unknown.length === 0) {
        await repos.use(at);
        return found;
      }
      const fetch = () =>
        joinEntries(`${at.repo_id} ${at.commit_id} ${JSON.stringify(unknown)}`, async () => {
          const { status, json } = await client.ask(apiPath(of.repo, `/paths-info/${of.commit}`), { paths: unknown });
          const listed = status === 200 ? entriesIn(json) : undefined;
          if (!listed) throw new RemoteFault(`It answered in a form that is not known (status ${status})`);
          const byPath = new Map(listed.map((entry) => [entry.path, withoutCommit(entry)]));
          const asked = new Map(unknown.map((path) => [path, byPath.get(path)]));
          await keepEntries(at, asked);
          return asked;
        });
      const what = unknown.length === 1 ? `The file ${unknown[0]} of ${of.repo.name}` : `A file of ${of.repo.name}`;
      return new Map([...found, ...(await patience.need(what, fetch))]);
    },
  };
}

/** Returns what never changes of an entry at a commit, and is asked for without options. */
const withoutCommit = (entry: Entry): Entry => ({ ...entry, lastCommit: undefined });
