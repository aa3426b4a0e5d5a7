import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gitClient } from '../packages/server/test/git-client.ts';
import { nextLine, startChild } from './child.ts';
import { besideClones } from './git/beside-clones.ts';
import { clones } from './git/clones.ts';
import { fillRepo } from './git/filled-repo.ts';
import { pushes } from './git/pushes.ts';
import { startBenchHub } from './hub.ts';
import type { Scale } from './scale.ts';
import type { Figure } from './stats.ts';

/** Measures clones and pushes of stock git against `git http-backend` on a copy of the same repository. */
export async function benchGit(scale: Scale): Promise<Figure[]> {
  await using hub = await startBenchHub();
  await using client = await gitClient();
  // Those who clone are elsewhere, and do not compete with the hub for its processors.
  await using others = await gitClient({}, 19);
  const repo = await fillRepo(hub, client, 'admin/cloned', scale.cloneFiles);
  const folder = await mkdtemp(join(tmpdir(), 'moonbase-bench-backend-'));
  try {
    await client.run('.', 'clone', '--quiet', '--mirror', repo.folder, join(folder, 'cloned.git'));
    await client.run('.', '--git-dir', join(folder, 'cloned.git'), 'config', 'http.receivepack', 'true');
    await using backend = startChild('git/http-backend.ts', [folder]);
    const reference = `${await nextLine(backend)}cloned.git`;
    return [
      ...(await clones(others, repo, { reference, scale })),
      ...(await pushes(hub, client, repo, { reference, scale })),
      ...(await besideClones(hub, { client, others }, repo, scale)),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
