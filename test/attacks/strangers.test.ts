import { changeBucketFiles, createCommit } from '@moonbase/client/content';
import { createDiscussion } from '@moonbase/client/discussions';
import { createBucket, createRepo } from '@moonbase/client/repositories';
import type { RouteDeclaration } from '@moonbase/contract/route';
import { allRoutes } from '@moonbase/contract/routes';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ask } from '../../packages/server/test/ask.ts';
import { person, startHub, type TestHub } from '../../packages/server/test/harness.ts';
import { bodyOf } from './authority-requests.ts';

/**
 * Calls every operation without credentials, on a hub that is open to strangers and on one that is not. `open` is public,
 * `gated` is too but keeps its files, `secret` is private, and `absent` does not exist.
 */
const REPOS = ['open', 'gated', 'secret', 'absent'] as const;
type Repo = (typeof REPOS)[number];
type Learned = Awaited<ReturnType<typeof learned>>;
const NOBODY = 'f'.repeat(24);

/** What is open, and the status for the files of a gated repository; a new entry is a decision. */
const OPEN: Readonly<Record<string, 200 | 401>> = {
  ...{
    getRepo: 200,
    getRepoAtRevision: 200,
    getBucket: 200,
    listBuckets: 200,
    listRefs: 200,
    listCommits: 200,
    checkAccess: 401,
  },
  ...{ getSpaceRuntime: 200, listModels: 200, listDatasets: 200, listSpaces: 200, listKernels: 200 },
  ...{ listModelTags: 200, listDatasetTags: 200, listTrending: 200, searchSpaces: 200 },
  ...{ quickSearch: 200, quickSearchByBody: 200 },
  ...{ listBucketTree: 200, listBucketTreeBelow: 200, getBucketPathsInfo: 200 },
  ...{ downloadBucketFile: 200, getBucketXetReadToken: 200 },
  ...{ listTree: 401, getPathsInfo: 401, getTreeSize: 401, compareRevisions: 401 },
  ...{
    downloadModelFile: 401,
    downloadFile: 401,
    downloadRawModelFile: 401,
    downloadRawFile: 401,
    downloadCachedFile: 401,
  },
  ...{ advertiseGit: 401, advertiseGitOfType: 401, fetchWithGit: 401, fetchWithGitOfType: 401 },
  ...{ lfsBatch: 401, lfsBatchOfType: 401, getXetReadToken: 401 },
  ...{ listDiscussions: 200, getDiscussion: 200, getPullRequestStorage: 200 },
  ...{ searchPapers: 200, listDailyPapers: 200, getPost: 200, getArticle: 200, getCanonicalArticle: 200 },
  ...{ getUserOverview: 200, getOrganizationOverview: 200 },
};

let open: TestHub;
let closed: TestHub;

async function fill(hub: TestHub): Promise<void> {
  await hub.apply({
    users: [person('ada')],
    organizations: [{ name: 'acme', plan: 'enterprise', members: [{ user: 'ada', role: 'admin' }] }],
    posts: [{ author: 'ada', slug: 'a-post', title: 'A post' }],
    articles: [{ author: 'ada', slug: 'an-article', title: 'An article', canonical: true }],
  });
  const ada = hub.as('ada');
  for (const name of ['open', 'gated', 'secret'] as const) {
    const isPrivate = name === 'secret';
    await createBucket({ ...ada, repo: `acme/${name}`, private: isPrivate });
    await createRepo({ ...ada, type: 'space', repo: `acme/${name}`, private: isPrivate });
    const file = { type: 'addFile', path: 'main/x.txt', xetHash: '0'.repeat(64) };
    await changeBucketFiles({ ...ada, repo: `acme/${name}`, operations: new Blob([JSON.stringify(file)]) });
    for (const type of ['model', 'dataset'] as const) {
      const repo = { type, repo: `acme/${name}` };
      await createRepo({ ...ada, ...repo, private: isPrivate });
      const files = [{ path: 'x.txt', content: `the file of ${name}` }];
      const operations = new Blob([JSON.stringify({ summary: 'x', files })], { type: 'application/json' });
      await createCommit({ ...ada, ...repo, branch: 'main', operations });
      await createDiscussion({ ...ada, ...repo, title: `About ${name}`, description: '.', pullRequest: true });
      if (name === 'gated') await ask(ada, `PUT /api/${type}s/acme/gated/settings`, { gated: 'auto' });
    }
  }
  await hub.drain();
}

beforeAll(async () => {
  [open, closed] = [await startHub(), await startHub({ MOONBASE_ANONYMOUS_READ: 'false' })];
  await fill(open);
  await fill(closed);
});
afterAll(async () => {
  await open[Symbol.asyncDispose]();
  await closed[Symbol.asyncDispose]();
});

const VALUES: Readonly<Record<string, string>> = {
  ...{ name: 'acme', namespace: 'acme', username: 'ada', rev: 'main', num: '1', perms: 'read', action: 'enable' },
  ...{ paperId: '2401.00001', postSlug: 'a-post', slug: 'an-article', file: 'x.svg', sha: 'a'.repeat(64) },
  ...{ address: 'x.y', hash: 'a'.repeat(64), prefix: 'default', code: 'x', token: 'x', role: 'x', kind: 'run' },
  ...{ status: 'pending' },
};

function pathOf({ path, id }: RouteDeclaration, repo: Repo): string {
  const isModel = path.includes('{repoType}') && path.startsWith('/api/');
  const values: Readonly<Record<string, string | undefined>> = {
    ...VALUES,
    repo,
    repoType: isModel ? 'models' : 'datasets',
    ...(id === 'getArticle' && { namespace: 'ada' }),
    ...(/\/(resolve|raw|resolve-cache)\//.test(path) && { rev: 'main/x.txt' }),
    ...(path.includes('/compare/') && { rev: 'main..main' }),
  };
  const query = path.endsWith('/info/refs') ? '?service=git-upload-pack' : '';
  return (path + query).replace(/\{(\w+)\}/g, (_, word: string) => values[word] ?? NOBODY);
}

const valuesFor = (repo: Repo) => ({
  name: repo === 'absent' ? 'none' : 'acme',
  resourceGroupId: NOBODY,
  discussionId: NOBODY,
});

/** Returns all that a stranger can learn by an operation. */
async function learned(hub: TestHub, route: RouteDeclaration, repo: Repo) {
  const request = `${route.method} ${pathOf(route, repo)}` as const;
  const answer = await ask({ hubUrl: hub.url }, request, bodyOf(route, valuesFor(repo)));
  // Whether a connection is kept depends on how much of the body has arrived by then.
  const {
    'x-request-id': _,
    date: __,
    connection: ___,
    'keep-alive': ____,
    ...headers
  } = Object.fromEntries(answer.headers);
  return { status: answer.status, text: await answer.text(), headers };
}

const named = allRoutes.filter(({ path }) => path.includes('/{namespace}/{repo}'));

describe('what is declared as open to strangers', () => {
  const declared = allRoutes.filter(({ anonymous }) => anonymous);

  test('is what this test knows', () => {
    expect(declared.map(({ id }) => id).sort()).toEqual(Object.keys(OPEN).sort());
  });

  test('only reads, and is nothing of notifications, webhooks, tokens, members, logs, groups, avatars and SCIM', () => {
    const readingByPost = [
      'getPathsInfo',
      'getBucketPathsInfo',
      'quickSearchByBody',
      'lfsBatch',
      'lfsBatchOfType',
      'fetchWithGit',
      'fetchWithGitOfType',
    ];
    expect(declared.filter(({ id, method }) => method !== 'GET' && !readingByPost.includes(id))).toEqual([]);
    expect(declared.filter(({ authority }) => !['repo.content.read', 'signed-in'].includes(authority))).toEqual([]);
    const own = /\/(settings|notifications|webhooks|members|audit-log|resource-groups|avatar|scim|admin|jobs)\b/;
    expect(declared.filter(({ path }) => own.test(path))).toEqual([]);
  });
});

const guarded = allRoutes.filter(({ authority }) => authority !== 'public');

const opened = guarded.filter(({ id }) => id in OPEN);

/** Returns what is wrong with each operation, by its id. */
async function faultsOf(routes: readonly RouteDeclaration[], faultOf: (route: RouteDeclaration) => Promise<unknown>) {
  expect(routes.length).toBeGreaterThan(15);
  const faults: [string, unknown][] = [];
  for (const route of routes) {
    const fault = await faultOf(route);
    if (fault !== undefined) faults.push([route.id, fault]);
  }
  return faults;
}

describe('a stranger', () => {
  test('gets the same 401 for everything at a hub that is closed', async () => {
    const faults = await faultsOf(guarded, async (route) => {
      const answers = await Promise.all(REPOS.map((repo) => learned(closed, route, repo)));
      const isSame = new Set(answers.map((answer) => JSON.stringify(answer))).size === 1;
      return isSame && answers[0]?.status === 401 ? undefined : answers;
    });
    expect(faults).toEqual([]);
  });

  test('gets 401 for all that is not declared as open, also about public repositories', async () => {
    const faults = await faultsOf(
      guarded.filter((route) => !opened.includes(route)),
      async (route) => {
        const answers = await Promise.all(REPOS.map((repo) => learned(open, route, repo)));
        return answers.every(({ status }) => status === 401) ? undefined : answers;
      },
    );
    expect(faults).toEqual([]);
  });

  test('reads what is public', async () => {
    const faults = await faultsOf(opened, async (route) => {
      const answer = await learned(open, route, 'open');
      return answer.status === 200 && !answer.text.includes('secret') ? undefined : answer;
    });
    expect(faults).toEqual([]);
  });

  test('reads about gated repositories, but none of their files', async () => {
    const faults = await faultsOf(
      opened.filter((route) => named.includes(route)),
      async (route) => {
        const answer = await learned(open, route, 'gated');
        const code = answer.headers['x-error-code'];
        const isRight = answer.status === OPEN[route.id] && code === (answer.status === 401 ? 'GatedRepo' : undefined);
        return isRight && !answer.text.includes('the file of gated') ? undefined : answer;
      },
    );
    expect(faults).toEqual([]);
  });

  test('cannot tell private from missing, nor an open hub from a closed one by them', async () => {
    const faults = await faultsOf(
      opened.filter((route) => named.includes(route)),
      async (route) => {
        const answers = [
          await learned(open, route, 'secret'),
          await learned(open, route, 'absent'),
          await learned(closed, route, 'secret'),
        ];
        const [{ status, text, headers }] = answers as [Learned, ...Learned[]];
        const isSame = new Set(answers.map((answer) => JSON.stringify(answer))).size === 1;
        const isRight = status === 401 && headers['x-error-code'] === 'RepoNotFound';
        return isSame && isRight && text.includes('Invalid username or password.') ? undefined : answers;
      },
    );
    expect(faults).toEqual([]);
  });

  test('with a wrong token is not taken for one without', async () => {
    const faults = await faultsOf(guarded, async (route) => {
      const request = `${route.method} ${pathOf(route, 'open')}` as const;
      for (const accessToken of ['hf_nobodyHasThisToken', '!']) {
        const answer = await ask({ hubUrl: open.url, accessToken }, request, bodyOf(route, valuesFor('open')));
        const text = await answer.text();
        const isRight = answer.status === 401 && text.includes('Invalid credentials in Authorization header');
        if (!isRight || answer.headers.has('x-error-code')) return { accessToken, status: answer.status, text };
      }
      return undefined;
    });
    expect(faults).toEqual([]);
  });
});
