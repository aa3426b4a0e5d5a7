import type { Database } from '../../platform/database/transaction.ts';
import type { Caller } from '../../platform/http/authenticate.ts';
import { readRepo } from '../reading.ts';
import type { RepoName, Repository } from '../store.ts';
import { requireGated } from './asking.ts';
import { presentLine, presentRequest } from './present.ts';
import { countRequests, listRequests, type RequestsPage } from './request-store.ts';

/** The requests that a report holds at most; a writer pages through the lists for more. */
const MAX_LINES = 10_000;

/** The verbs that show the requests for a repository to those who may write to it. */
export function createRequestListing({ database: { read } }: { readonly database: Database }) {
  async function readGated(caller: Caller, name: RepoName): Promise<Repository> {
    const repo = await readRepo(read, caller, name, 'repo.write');
    requireGated(repo);
    return repo;
  }

  return {
    /** Returns a page of the requests with a status, their number, and whether further ones follow. */
    async list(caller: Caller, name: RepoName, page: RequestsPage) {
      const repo = await readGated(caller, name);
      const backwards = page.before !== undefined && page.after === undefined;
      const rows = await listRequests(read, repo.id, { ...page, limit: page.limit + 1 });
      const isMore = rows.length > page.limit;
      const shown = backwards && isMore ? rows.slice(1) : rows.slice(0, page.limit);
      const last = backwards || isMore ? shown.at(-1)?.id : undefined;
      return {
        items: shown.map((request) => presentRequest(caller.baseUrl, request)),
        total: await countRequests(read, repo.id, page.status),
        next: last,
      };
    },

    async report(caller: Caller, name: RepoName) {
      const repo = await readGated(caller, name);
      const rows = await listRequests(read, repo.id, { limit: MAX_LINES });
      return { repo, lines: rows.map(presentLine), total: await countRequests(read, repo.id) };
    },
  };
}
