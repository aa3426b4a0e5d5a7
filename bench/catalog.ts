import { setTimeout as pause } from 'node:timers/promises';
import { applyHub } from '@moonbase/client/admin';
import { createRepo } from '@moonbase/client/repositories';
import { tagSignature } from '../packages/server/src/repositories/lists/tag-signature.ts';
import { hex, numbers } from './generate.ts';
import { type BenchHub, startBenchHub } from './hub.ts';
import { load, requestBytes } from './load.ts';
import type { Scale } from './scale.ts';
import { type Figure, median, percentile, shown } from './stats.ts';

const ROWS_PER_STATEMENT = 20_000;
const SIGNATURES_PER_STATEMENT = 1_000;
const OWNERS = 1_000;
const TOKEN = 'hf_tokenOfTheReader';
const WRITERS = 16;
const PAGES = 300;
/** How far a deep page is from the beginning, in pages of a thousand. */
const DEEP = 20;
const INDEXING_MS = 1_800_000;

const SORTS = ['createdAt', 'lastModified', 'downloads', 'likes', 'trendingScore'] as const;
/** `zephyr` is in the names of 20 of a million. */
const WORDS = { 'a common word': 'base', 'a rare word': 'zephyr', 'an absent word': 'qwertz', 'two letters': 'vi' };
const FILTERS = ['transformers', 'license:mit', 'text-generation'] as const;

const REGION = 'region:us';
const NAMED_TAGS = [
  ['license:mit', 'license:apache-2.0'],
  ['transformers', 'pytorch', 'jax'],
  ['text-generation', 'fill-mask', 'summarization', 'translation', 'text-classification'],
];
/** The tags that end in a number, and how many of each there are. */
const NUMBERED_TAGS = { 'language:': 50, 'dataset:d-': 5_000, 'base_model:m-': 20_000, 'arxiv:': 100_000 };

/** Measures lists of models and the search for them among many, by a user who owns a thousandth of them. */
export async function benchCatalog({ catalogRepos, catalogWrites }: Scale): Promise<Figure[]> {
  await using hub = await startBenchHub();
  await createdPerSecond(hub, 'warm', catalogWrites);
  const before = await createdPerSecond(hub, 'before', catalogWrites);
  await fillCatalog(hub, catalogRepos);
  const figures: Figure[] = [];
  const measure = async (what: string, path: string, atMost: number) => {
    const times = await timesOf(hub, path);
    figures.push({
      name: `${catalogRepos.toLocaleString('en')} repositories, ${what}, p99`,
      ...{ value: percentile(times, 0.99), unit: 'ms', bound: { atMost } },
      note: `median ${shown(median(times))} ms`,
    });
  };
  for (const sort of SORTS) {
    await measure(`first page by ${sort}`, `/api/models?sort=${sort}&limit=100`, 25);
    await measure(`deep page by ${sort}`, await deepPage(hub, sort), 25);
  }
  for (const [what, word] of Object.entries(WORDS))
    for (const count of [0, 1, FILTERS.length]) {
      const filters = FILTERS.slice(0, count).map((filter) => `&filter=${filter}`);
      await measure(
        `search for ${what}, filters ${count}`,
        `/api/models?search=${word}&limit=100${filters.join('')}`,
        60,
      );
    }
  await measure('full page of 100', '/api/models?full=true&limit=100', 150);
  const after = await createdPerSecond(hub, 'after', catalogWrites);
  return [
    ...figures,
    {
      name: `repositories created, with ${catalogRepos.toLocaleString('en')} to without`,
      ...{ value: after / before, unit: 'ratio', bound: { atLeast: 0.9 }, grows: 'rows', rounds: [[after, before]] },
    },
  ];
}

const headersOf = (accessToken: string) => ({ authorization: `Bearer ${accessToken}` });

function createdPerSecond({ url, connection }: BenchHub, prefix: string, requests: number): Promise<number> {
  let made = 0;
  const headers = { ...headersOf(connection.accessToken), 'content-type': 'application/json' };
  const next = () =>
    requestBytes(url, 'POST', '/api/repos/create', headers, JSON.stringify({ name: `${prefix}-${made++}` }));
  return load({ url, connections: WRITERS, requests, next });
}

async function timesOf({ url }: BenchHub, path: string): Promise<number[]> {
  const times: number[] = [];
  const next = () => requestBytes(url, 'GET', path, headersOf(TOKEN));
  await load({ url, connections: 1, requests: PAGES, next, onAnswer: (ms) => times.push(ms) });
  return times;
}

/** Returns the path of a page far behind the first. */
async function deepPage({ url }: BenchHub, sort: string): Promise<string> {
  let next = new URL(`/api/models?sort=${sort}&limit=1000`, url);
  for (let page = 0; page < DEEP; page++) {
    const answer = await fetch(next, { headers: headersOf(TOKEN) });
    await answer.arrayBuffer();
    const [, link] = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '') ?? [];
    if (link === undefined) break;
    next = new URL(link);
  }
  next.searchParams.set('limit', '100');
  return next.pathname + next.search;
}

/** Makes a table of all tags with the signature of each. */
async function signTags({ side }: BenchHub): Promise<void> {
  await side.run('create table bench_signatures (tag text primary key, signature bigint not null)');
  const numbered = Object.entries(NUMBERED_TAGS).flatMap(([prefix, many]) =>
    Array.from({ length: many }, (_, at) => `${prefix}${at}`),
  );
  const all = [REGION, ...NAMED_TAGS.flat(), ...numbered];
  for (let from = 0; from < all.length; from += SIGNATURES_PER_STATEMENT) {
    const part = all.slice(from, from + SIGNATURES_PER_STATEMENT).map((tag) => `('${tag}', ${tagSignature([tag])})`);
    await side.run(`insert into bench_signatures (tag, signature) values ${part.join(', ')}`);
  }
}

/** Fills the tables with models of many owners: three in ten private, each with eight tags and its first commit. */
async function fillCatalog(hub: BenchHub, count: number): Promise<void> {
  const { side, connection } = hub;
  await applyHub({
    ...connection,
    document: { users: [{ name: 'reader', tokens: [{ name: 'bench', role: 'read', token: TOKEN }] }] },
  });
  const { id } = await createRepo({ ...connection, type: 'model', repo: 'admin/first' });
  const reader = await side.text(`select id from accounts where name = 'reader'`);
  const owner = (number: string) => `('d' || ${hex(number, 23)})`;
  await side.run(`insert into accounts (id, kind, name, name_key, fullname, created_at, plan)
    select ${owner('i')}, 'user', 'owner-' || i, 'owner-' || i, 'Owner', 0, 'free' from ${numbers(1, OWNERS - 1)}`);
  const repo = `('c' || ${hex('i', 23)})`;
  const pick = (words: readonly string[]) =>
    `case i % ${words.length} ${words.map((word, at) => `when ${at} then '${word}'`).join(' ')} end`;
  const name = `${pick(['bert', 'llama', 'resnet', 'whisper', 't5', 'gpt', 'vit', 'clip', 'wav', 'yolo'])} || '-' ||
    ${pick(['base', 'large', 'small', 'tiny', 'mini', 'medium', 'xl'])} || '-' ||
    case i % 50000 when 7 then 'zephyr' else 'tuned' end || '-' || i`;
  const tags = [
    `'${REGION}'`,
    ...NAMED_TAGS.map(pick),
    ...Object.entries(NUMBERED_TAGS).map(([prefix, many]) => `'${prefix}' || (i % ${many})`),
  ];
  await signTags(hub);
  const sha = `(select head_sha from repositories where id = '${id}')`;
  const signature = tags.map((tag) => `(select signature from bench_signatures where tag = ${tag})`).join(' | ');
  for (let from = 0; from < count; from += ROWS_PER_STATEMENT) {
    const part = numbers(from, Math.min(from + ROWS_PER_STATEMENT, count) - 1);
    const time = (value: string) => `cast(1600000000 + ${value} as bigint) * 1000`;
    await side.run(`insert into repositories
        (id, type, owner_id, name, name_key, private, created_at, last_modified, head_sha, downloads, likes, trending_score,
        tag_signature)
      select ${repo}, 'model', case i % ${OWNERS} when 0 then '${reader}' else ${owner(`i % ${OWNERS}`)} end, ${name}, ${name},
        case when i % 10 < 3 then 1 else 0 end, ${time('i')}, ${time(`cast(i as bigint) * 7919 % ${count}`)},
        ${sha}, cast(i as bigint) * 7907 % 1000003, i * 31 % 5000, i * 17 % 1000, ${signature}
      from ${part}`);
    await side.run(`insert into refs (repo_id, ref, sha)
      select ${repo}, 'refs/heads/main', ${sha} from ${part}`);
    await side.run(`insert into root_commits (repo_id, sha, body)
      select ${repo}, sha, body from ${part} cross join root_commits where repo_id = '${id}'`);
    await side.run(`insert into repo_cards (repo_id, sha, signed_sha, card, tags, details)
      select ${repo}, ${sha}, ${sha}, '{}',
        '["' || ${tags.join(` || '","' || `)} || '"]', '{}' from ${part}`);
    for (const tag of tags)
      await side.run(`insert into repo_tags (tag, type, repo_id) select ${tag}, 'model', ${repo} from ${part}`);
  }
  await side.run('drop table bench_signatures');
  await side.settle();
  // The hub has closed the connections that were idle meanwhile, which this process has yet to notice.
  await pause(1_000);
  await namesIndexed(hub);
}

/** Waits until every name is in the index of names; on PostgreSQL that is part of the insert. */
async function namesIndexed({ side, database }: BenchHub): Promise<void> {
  if ('url' in database) return;
  const until = Date.now() + INDEXING_MS;
  while ((await side.number('select count(*) from searched_names where pending = 1')) > 0) {
    if (Date.now() > until) throw new Error('The names were not indexed in time');
    await pause(1_000);
  }
}
