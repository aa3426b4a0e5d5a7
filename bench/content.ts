import { arrivalsOfCommits } from './content/arrivals.ts';
import { besideContent } from './content/beside.ts';
import { commitRates, firstCommit } from './content/commits.ts';
import { downloads } from './content/downloads.ts';
import { smallFiles } from './content/small-files.ts';
import { pagesOfHistory, pagesOfTrees } from './content/trees.ts';
import { uploads } from './content/uploads.ts';
import { hex, numbers } from './generate.ts';
import { type BenchHub, startBenchHub } from './hub.ts';
import type { Scale } from './scale.ts';
import type { Figure } from './stats.ts';

const ROWS_PER_STATEMENT = 10_000;

/** Measures commits, downloads, uploads and listings of repository content against bare loops that do the same. */
export async function benchContent(scale: Scale): Promise<Figure[]> {
  await using hub = await startBenchHub();
  const few = [...(await commitRates(hub, scale, 'few')), ...(await smallFiles(hub, scale, 'few'))];
  const others = [
    await firstCommit(hub, scale),
    ...(await downloads(hub, scale)),
    ...(await uploads(hub, scale)),
    ...(await pagesOfTrees(hub, scale)),
    await pagesOfHistory(hub, scale),
    ...(await arrivalsOfCommits(hub, scale)),
    ...(await besideContent(hub, scale)),
  ];
  await fillRepos(hub, scale.contentRepos);
  await hub.side.settle();
  const many = [...(await commitRates(hub, scale, 'many')), ...(await smallFiles(hub, scale, 'many'))];
  return [
    ...few,
    ...others,
    ...many.map((figure, at): Figure => {
      const before = few[at];
      return {
        name: `${figure.name}: with ${scale.contentRepos.toLocaleString('en')} repositories to without`,
        value: figure.value / (before?.value ?? Number.NaN),
        unit: 'ratio',
        bound: { atLeast: 1 / 1.3 },
        grows: 'rows',
        ...(figure.rounds && { rounds: figure.rounds }),
      };
    }),
  ];
}

/** Fills the table of repositories with repositories of the administrator, which have no content. */
async function fillRepos(hub: BenchHub, count: number): Promise<void> {
  const owner = await hub.side.text(`select id from accounts where name = 'admin'`);
  for (let from = 0; from < count; from += ROWS_PER_STATEMENT) {
    const part = numbers(from, Math.min(from + ROWS_PER_STATEMENT, count) - 1);
    await hub.side.run(`insert into repositories (id, type, owner_id, name, name_key, created_at)
      select 'c' || ${hex('i', 23)}, 'model', '${owner}', 'filled-' || i, 'filled-' || i, 0 from ${part}`);
  }
}
