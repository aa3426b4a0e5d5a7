import { createCommit } from '@moonbase/client/content';
import { createMirror, getMirror, syncMirror } from '@moonbase/client/mirrors';
import { createRepo, listRefs } from '@moonbase/client/repositories';
import { knownGitStore, stockGit } from './git-folder.ts';
import { type Connection, startHub, tokenOf } from './harness.ts';

/** The repository on the hub that is mirrored, and the mirror on the other hub. */
export const ORIGIN = { type: 'model', repo: 'ada/weather' } as const;
export const MIRROR = { type: 'model', repo: 'alice/weather' } as const;

export type Files = Readonly<Record<string, string>>;

/** Commits texts to a branch; returns the commit. */
export async function commitTo(
  who: Connection,
  repo: { readonly type: 'model' | 'dataset'; readonly repo: string },
  files: Files,
  branch = 'main',
): Promise<string> {
  const changes = Object.entries(files).map(([path, content]) => ({ path, content }));
  const body = JSON.stringify({ summary: `Change ${Object.keys(files).join(', ')}`, files: changes });
  const operations = new Blob([body], { type: 'application/json' });
  return (await createCommit({ ...who, ...repo, branch, operations })).commitOid;
}

/** Returns the commits of branches, tags and pull requests by their refs. */
export async function refsOf(
  who: Connection,
  repo: { readonly type: 'model' | 'dataset'; readonly repo: string },
): Promise<Record<string, string>> {
  const { branches, tags, pullRequests = [] } = await listRefs({ ...who, ...repo, includePullRequests: true });
  const all = [...branches, ...tags, ...pullRequests];
  return Object.fromEntries(all.map(({ ref, targetCommit }) => [ref, targetCommit]));
}

type Overrides = Parameters<typeof startHub>[1];

/** Starts a hub with alice, bob and the empty model `alice/weather`. */
export async function mirroringHub(settings: Readonly<Record<string, string>> = {}, overrides: Overrides = {}) {
  const gitStore = knownGitStore();
  const hub = await startHub(settings, { gitStore, ...overrides });
  await hub.people('alice', 'bob');
  const alice = hub.as('alice');
  const { id } = await createRepo({ ...alice, repo: MIRROR.repo });
  return {
    ...{ hub, alice, gitStore, id },
    /** Lets `alice/weather` follow a remote. */
    follow: (url: string, more: { token?: string; username?: string; interval?: number; overwrite?: boolean } = {}) =>
      createMirror({ ...alice, ...MIRROR, url, ...more }),
    state: () => getMirror({ ...alice, ...MIRROR }),
    /** Asks for a sync and waits for its end. */
    async sync() {
      await syncMirror({ ...alice, ...MIRROR });
      await hub.drain();
      return getMirror({ ...alice, ...MIRROR });
    },
    refs: () => refsOf(alice, MIRROR),
    fsck: () => stockGit(gitStore, id, 'fsck', '--full', '--strict', '--no-dangling'),
    [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose](),
  };
}

/** Starts two hubs: one with the model `ada/weather`, and one where `alice/weather` follows it after `follow()`. */
export async function mirrorHubs(settings: Readonly<Record<string, string>> = {}, overrides: Overrides = {}) {
  const source = await startHub();
  await source.people('ada');
  const ada = source.as('ada');
  await createRepo({ ...ada, repo: ORIGIN.repo });
  const mirroring = await mirroringHub(settings, overrides);
  const url = `${source.url}/${ORIGIN.repo}`;
  return {
    ...{ ...mirroring, source, ada, url },
    /** Lets the mirror follow its origin, and syncs it for the first time. */
    async begin(more: Parameters<typeof mirroring.follow>[1] = {}) {
      await mirroring.follow(url, { token: tokenOf('ada'), ...more });
      await mirroring.hub.drain();
      return mirroring.state();
    },
    commit: (files: Files, branch?: string) => commitTo(ada, ORIGIN, files, branch),
    originRefs: () => refsOf(ada, ORIGIN),
    async [Symbol.asyncDispose]() {
      await mirroring[Symbol.asyncDispose]();
      await source[Symbol.asyncDispose]();
    },
  };
}
