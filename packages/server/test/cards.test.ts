import { createHash } from 'node:crypto';
import { validateCard } from '@moonbase/client/content';
import { lfsBatch } from '@moonbase/client/large-files';
import { createBranch, createRepo, getRepo, getRepoAtRevision } from '@moonbase/client/repositories';
import { describe, expect, test } from 'vitest';
import { requestReading } from '../src/cards/read-store.ts';
import { createCardReader } from '../src/cards/reader.ts';
import { createCardThread } from '../src/cards/reading/card-thread.ts';
import { DAY, MINUTE } from './clock.ts';
import { startHub, type TestHub, tokenOf } from './harness.ts';

type Type = 'model' | 'dataset' | 'space';

/** Starts a hub where ada has a repository of each type, named after the type. */
async function fixture(...types: Type[]) {
  const hub = await startHub();
  await hub.people('ada', 'bob');
  const ada = hub.as('ada');
  for (const type of types)
    await createRepo({ ...ada, type, repo: `ada/${type}`, ...(type === 'space' && { sdk: 'static' }) });

  /** Commits files to main without running background work. */
  async function commit(
    type: Type,
    files: Readonly<Record<string, string | Uint8Array>>,
    lines: readonly object[] = [],
  ) {
    const body = [
      { key: 'header', value: { summary: 'change' } },
      ...Object.entries(files).map(([path, content]) => ({
        key: 'file',
        value: { path, content: Buffer.from(content).toString('base64'), encoding: 'base64' },
      })),
      ...lines,
    ];
    const answer = await fetch(`${hub.url}/api/${type}s/ada/${type}/commit/main`, {
      method: 'POST',
      body: body.map((line) => JSON.stringify(line)).join('\n'),
      headers: { 'content-type': 'application/x-ndjson', authorization: `Bearer ${tokenOf('ada')}` },
    });
    expect([answer.status, await answer.clone().text()]).toMatchObject([200, expect.anything()]);
  }

  const info = (type: Type, expand?: string[]) => getRepo({ ...ada, type, repo: `ada/${type}`, expand });
  return {
    ...{ hub, ada, commit, info },
    /** Returns the card of the files once the hub has read them. */
    async read(type: Type, files: Readonly<Record<string, string | Uint8Array>>) {
      await commit(type, files);
      await hub.drain();
      return info(type);
    },
    [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose](),
  };
}

const README = (metadata: string, text = '# Hello\n') => ({ 'README.md': `---\n${metadata}\n---\n${text}` });

/** Returns a safetensors file with these tensors and no weights. */
function safetensors(tensors: Readonly<Record<string, { dtype: string; shape: number[] }>>): Buffer {
  const header = Buffer.from(JSON.stringify({ __metadata__: { format: 'pt' }, ...tensors }));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(header.length));
  return Buffer.concat([length, header]);
}

const u32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
const u64 = (value: bigint | number) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
};
const text = (value: string) => Buffer.concat([u64(value.length), Buffer.from(value)]);
const pair = (key: string, type: number, value: Buffer) => Buffer.concat([text(key), u32(type), value]);

const GGUF = Buffer.concat([
  ...[Buffer.from('GGUF'), u32(3), u64(2), u64(5)],
  pair('general.architecture', 8, text('llama')),
  pair('llama.context_length', 4, u32(4096)),
  pair('tokenizer.ggml.tokens', 9, Buffer.concat([u32(8), u64(3), text('<unk>'), text('<s>'), text('</s>')])),
  pair('tokenizer.ggml.eos_token_id', 4, u32(2)),
  pair('general.alignment', 6, u32(0)),
  ...[text('a'), u32(2), u64(3), u64(4), u32(0), u64(0)],
  ...[text('b'), u32(1), u64(5), u32(0), u64(0)],
]);

describe('the card of a model', () => {
  test('becomes metadata, tags, library and pipeline after the commit, and not before', async () => {
    await using at = await fixture('model');
    const before = await at.info('model');
    expect(before).toMatchObject({ tags: [] });
    await at.commit('model', {
      ...README(
        `license: mit\nlanguage: [en, de]\nlibrary_name: transformers\ntags: [letters]\ndatasets: ada/letters\nbase_model: ada/base\nwidget:\n  - text: Hi\nrevised: 2026-01-02`,
        'See https://arxiv.org/abs/2401.01234 and arXiv: 2312.00001.\n',
      ),
      'config.json': JSON.stringify({ architectures: ['BertForMaskedLM'], model_type: 'bert', hidden_size: 4 }),
      'tokenizer_config.json': JSON.stringify({ mask_token: { content: '[MASK]' }, cls_token: '[CLS]' }),
      'pytorch_model.bin.md': '',
    });
    expect(await at.info('model')).toMatchObject({ tags: [] });
    await at.hub.drain();
    expect(await at.info('model')).toMatchObject({
      cardData: { license: 'mit', language: ['en', 'de'], base_model: 'ada/base', revised: '2026-01-02' },
      library_name: 'transformers',
      pipeline_tag: 'fill-mask',
      mask_token: '[MASK]',
      widgetData: [{ text: 'Hi' }],
      config: {
        architectures: ['BertForMaskedLM'],
        model_type: 'bert',
        tokenizer_config: { mask_token: '[MASK]', cls_token: '[CLS]' },
      },
      transformersInfo: { auto_model: 'AutoModelForMaskedLM', pipeline_tag: 'fill-mask', processor: 'AutoTokenizer' },
      tags: [
        ...['transformers', 'bert', 'fill-mask', 'letters', 'en', 'de', 'dataset:ada/letters'],
        ...['arxiv:2401.01234', 'arxiv:2312.00001', 'base_model:ada/base', 'base_model:finetune:ada/base'],
        ...['license:mit', 'region:us'],
      ],
    });
    expect(await at.info('model', ['pipeline_tag', 'cardData', 'xetEnabled'])).toEqual({
      _id: expect.any(String),
      id: 'ada/model',
      pipeline_tag: 'fill-mask',
      cardData: expect.objectContaining({ license: 'mit' }),
    });
  });

  test('shows the metadata of the README at the revision that is asked for', async () => {
    await using at = await fixture('model');
    const target = { ...at.ada, type: 'model', repo: 'ada/model' } as const;
    await at.read('model', README('license: mit\ntags: [first]'));
    const first = await at.info('model');
    await createBranch({ ...target, branch: 'old' });
    await at.read('model', README('license: [broken'));
    await createBranch({ ...target, branch: 'broken' });
    await at.read('model', { 'README.md': 'No metadata' });
    await createBranch({ ...target, branch: 'bare' });
    const last = await at.read('model', README('license: apache-2.0'));
    const cardIn = (info: object) =>
      Object.fromEntries(Object.entries(info).filter(([name]) => ['cardData', 'cardError'].includes(name)));
    const of = async (revision: string) => cardIn(await getRepoAtRevision({ ...target, revision }));
    for (const revision of ['old', 'refs/heads/old', first.sha ?? '', 'old'])
      expect(await of(revision)).toEqual({ cardData: { license: 'mit', tags: ['first'] } });
    expect(await of('broken')).toEqual({ cardError: expect.any(String) });
    expect(await of('bare')).toEqual({});
    for (const revision of ['main', last.sha ?? ''])
      expect(await of(revision)).toEqual({ cardData: { license: 'apache-2.0' } });
  });

  test('counts the parameters of its weights by their headers, over several files and as GGUF', async () => {
    await using at = await fixture('model');
    const one = await at.read('model', {
      'model.safetensors.json': '',
      'sub/model.safetensors': safetensors({ x: { dtype: 'F32', shape: [1000] } }),
      'model-00001-of-00002.safetensors': safetensors({ a: { dtype: 'F16', shape: [2, 3] } }),
      'model-00002-of-00002.safetensors': safetensors({
        b: { dtype: 'F16', shape: [4] },
        __proto: { dtype: 'I64', shape: [] },
      }),
      'weights.gguf': GGUF,
    });
    expect(one).toMatchObject({
      safetensors: { parameters: { F16: 10, I64: 1 }, total: 11, sharded: true },
      gguf: { total: 17, architecture: 'llama', context_length: 4096, eos_token: '</s>' },
      tags: ['gguf', 'safetensors', 'region:us'],
      library_name: 'gguf',
    });
  });

  test('reads the header of a large file by its first bytes', async () => {
    await using at = await fixture('model');
    const bytes = Buffer.concat([safetensors({ a: { dtype: 'BF16', shape: [7] } }), Buffer.alloc(14)]);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const { objects } = await lfsBatch({
      ...at.ada,
      repo: 'ada/model',
      operation: 'upload',
      transfers: ['basic'],
      objects: [{ oid: sha256, size: bytes.length }],
    });
    await fetch(objects[0]?.actions?.upload?.href ?? '', { method: 'PUT', body: bytes });
    await at.commit('model', {}, [
      { key: 'lfsFile', value: { path: 'model.safetensors', algo: 'sha256', oid: sha256 } },
    ]);
    await at.hub.drain();
    expect(await at.info('model')).toMatchObject({ safetensors: { parameters: { BF16: 7 }, total: 7 } });
  });

  test('is that of the head, however often and however late the events are processed', async () => {
    await using at = await fixture('model');
    await at.commit('model', README('license: mit'));
    await at.commit('model', README('license: apache-2.0'));
    await at.commit('model', README('license: isc'));
    await at.hub.drain();
    expect(await at.info('model', ['tags'])).toMatchObject({ tags: ['license:isc', 'region:us'] });
    // The event of the first commit occurs again.
    const { sha } = (await at.info('model')) as { sha: string };
    const { repo_id } = await at.hub.database.read.selectFrom('repo_cards').select('repo_id').executeTakeFirstOrThrow();
    const again = { repo_id, due_at: 0, attempts: 0 };
    await at.hub.database.transaction((tx) => tx.insertInto('card_reads').values(again).execute());
    await at.hub.drain();
    const stored = await at.hub.database.read.selectFrom('repo_cards').selectAll().execute();
    expect(stored).toMatchObject([{ sha, tags: JSON.stringify(['license:isc', 'region:us']) }]);
    expect(await at.hub.database.read.selectFrom('card_reads').selectAll().execute()).toEqual([]);
  });

  test('is not that of a commit that main moved past while it was read', async () => {
    await using at = await fixture('model');
    const { database, clock } = at.hub;
    const faults: string[] = [];
    const logger = { error: (_: object, message: string) => void faults.push(message) };
    const thread = createCardThread();
    const files = async () => {
      await at.commit('model', README('license: isc'));
      return [];
    };
    await at.commit('model', README('license: mit'));
    await at.hub.drain();
    await at.commit('model', README('license: apache-2.0'));
    const { repo_id } = await database.read.selectFrom('repo_cards').select('repo_id').executeTakeFirstOrThrow();
    await database.transaction((tx) => requestReading(tx, repo_id, { now: clock.now() }));
    await createCardReader({ database, clock, logger, files, thread }).round();
    await thread.close();
    expect(await at.info('model', ['tags'])).toMatchObject({ tags: ['license:mit', 'region:us'] });
    await at.hub.drain();
    expect(await at.info('model', ['tags'])).toMatchObject({ tags: ['license:isc', 'region:us'] });
    expect(faults).toEqual([]);
  });

  test('is abandoned after five failures and read again after the next commit', async () => {
    await using at = await fixture('model');
    const { database, clock } = at.hub;
    const faults: string[] = [];
    const logger = { error: (_: object, message: string) => void faults.push(message) };
    const thread = createCardThread();
    const reader = createCardReader({
      database,
      clock,
      logger,
      files: () => Promise.reject(new Error('broken')),
      thread,
    });
    await at.commit('model', README('license: mit'));
    const { id } = await database.read.selectFrom('repositories').select('id').executeTakeFirstOrThrow();
    await database.transaction((tx) => requestReading(tx, id, { now: clock.now() }));
    for (let tries = 0; tries < 6; tries++) {
      await reader.round();
      clock.advance(MINUTE);
    }
    await thread.close();
    expect(faults).toHaveLength(6);
    expect(await at.info('model')).toMatchObject({ cardError: 'The files of this repository could not be read' });
    expect(await database.read.selectFrom('card_reads').selectAll().execute()).toEqual([]);
    expect(await at.read('model', README('license: isc'))).toMatchObject({ cardData: { license: 'isc' } });
  });
});

test('a dataset has the tags of its fields and of its files', async () => {
  await using at = await fixture('dataset');
  const info = await at.read('dataset', {
    ...README(
      'license: cc-by-4.0\ntask_categories: [text-classification]\nlanguage: en\nsize_categories: n<1K\ncitation: none',
    ),
    'data/train.csv': 'a,b\n1,2\n',
    'data/test.csv': 'a,b\n3,4\n',
    'dataset_infos.json': '{}',
  });
  expect(info).toMatchObject({
    tags: [
      ...['task_categories:text-classification', 'language:en', 'license:cc-by-4.0', 'size_categories:n<1K'],
      ...['format:csv', 'modality:tabular', 'library:datasets', 'library:pandas', 'library:polars', 'region:us'],
    ],
    citation: 'none',
  });
  expect(info).not.toHaveProperty('library_name');
});

test('a Space has the SDK that its README names', async () => {
  await using at = await fixture('space');
  expect(await at.info('space')).toMatchObject({ sdk: 'static' });
  expect(await at.read('space', README('sdk: gradio\nmodels: [ada/model]'))).toMatchObject({
    sdk: 'gradio',
    models: ['ada/model'],
    tags: ['gradio', 'region:us'],
  });
});

describe('metadata that cannot be read', () => {
  const many = (count: number, line: (at: number) => string) =>
    Array.from({ length: count }, (_, at) => line(at)).join('\n');
  const bomb = [
    'a: &a [x,x,x,x,x,x,x,x,x]',
    ...'bcdefghi'.split('').map((name, at) => `${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[at]}`).join(',')}]`),
  ].join('\n');

  test.each([
    ['invalid YAML', 'a: [', /./],
    ['duplicate keys', 'license: mit\nlicense: isc', /unique/],
    ['aliases that multiply', bomb, /alias/],
    ['an alias of a large text', `a: &a ${'x'.repeat(400_000)}\nb: [*a,*a,*a]`, /too large/],
    ['deep nesting', `a: ${'['.repeat(100)}${']'.repeat(100)}`, /deep/],
    ['very deep nesting', `a: ${'['.repeat(50_000)}${']'.repeat(50_000)}`, /deep|too long/],
    ['a list', '- a\n- b', /no keys/],
    ['a text', 'just text', /no keys/],
    ['a tag of a language', 'a: !!js/function "x"', /./],
    ['more than 1 MiB', `a: ${'x'.repeat(1024 * 1024)}`, /1 MiB/],
    ['invalid UTF-8', '\ufffd: a', /UTF-8/],
    ['control characters in the fault', 'a: *b\u0000', /./],
    ['keys without end', many(100_000, (at) => `k${at}:`), /too long/],
  ])('causes no commit to be refused, blocks nobody and is reported: %s', async (_, metadata, error) => {
    await using at = await fixture('model', 'dataset');
    const readme = Buffer.from(README(metadata)['README.md']);
    const broken = metadata.includes('\ufffd')
      ? Buffer.from(readme.toString('latin1').replace('\u00ef\u00bf\u00bd', '\u00ff'), 'latin1')
      : readme;
    await at.commit('model', { 'README.md': broken });
    await at.commit('dataset', README('license: mit'));
    await at.hub.drain();
    const info = await at.info('model');
    if (metadata.startsWith('a: !!js')) return expect(info).toMatchObject({ cardData: { a: 'x' } });
    expect(info).toMatchObject({ cardError: expect.stringMatching(error), tags: ['region:us'] });
    expect(info).not.toHaveProperty('cardData');
    expect(await at.info('dataset')).toMatchObject({ tags: ['license:mit', 'region:us'] });
  });

  test('has harmless names: prototypes, keys that are not strings, strings that a database refuses', async () => {
    await using at = await fixture('model');
    const metadata =
      '__proto__: {polluted: 1}\nconstructor: c\n1: one\n[a, b]: list\nlibrary_name: "x\\0y"\npipeline_tag: "\\uD800"\ntags: ["a\\0b", toString, "\\uDC00"]';
    expect(await at.read('model', README(metadata))).toMatchObject({
      cardData: { constructor: 'c', 1: 'one' },
      tags: ['toString', 'region:us'],
    });
    expect(await at.info('model')).not.toHaveProperty('library_name');
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  test('a README of 10 MB is read to the end of its metadata', async () => {
    await using at = await fixture('model');
    expect(await at.read('model', README('license: mit', 'x\n'.repeat(5 * 1024 * 1024 - 100)))).toMatchObject({
      cardData: { license: 'mit' },
    });
  });
});

test.each<[string, Readonly<Record<string, Uint8Array | string>>]>([
  ['a header of 4 GB', { 'model.safetensors': Buffer.concat([u64(2 ** 32), Buffer.from('{}')]) }],
  ['a header of 2^64', { 'model.safetensors': Buffer.concat([u64(2n ** 64n - 1n), Buffer.from('{}')]) }],
  ['a header that is not JSON', { 'model.safetensors': Buffer.concat([u64(3), Buffer.from('{a}')]) }],
  ['a file that is empty', { 'model.safetensors': '' }],
  [
    'shapes that exceed every number',
    { 'model.safetensors': safetensors({ a: { dtype: 'F32', shape: [2 ** 52, 2 ** 52] } }) },
  ],
  ['a dtype that is not a type', { 'model.safetensors': safetensors({ a: { dtype: '__proto__', shape: [1] } }) }],
  ['a pointer instead of JSON', { 'config.json': '[[[[', 'tokenizer_config.json': 'null', 'adapter_config.json': '3' }],
])('false claims of weights and configuration are ignored: %s', async (_, files) => {
  await using at = await fixture('model');
  const info = await at.read('model', { ...files, ...README('license: mit') });
  expect(info).toMatchObject({ cardData: { license: 'mit' } });
  expect(info).not.toHaveProperty('safetensors');
  expect(info).not.toHaveProperty('config');
});

test.each<[string, Buffer, object]>([
  ['2^64 entries', Buffer.concat([Buffer.from('GGUF'), u32(3), u64(2n ** 64n - 1n), u64(2n ** 64n - 1n)]), {}],
  [
    'a list of 2^64 texts',
    Buffer.concat([
      Buffer.from('GGUF'),
      u32(3),
      u64(1),
      u64(1),
      pair('a', 9, Buffer.concat([u32(8), u64(2n ** 64n - 1n)])),
    ]),
    {},
  ],
  [
    'lists in lists',
    Buffer.concat([Buffer.from('GGUF'), u32(3), u64(0), u64(1), pair('a', 9, Buffer.concat([u32(9), u64(9)]))]),
    {},
  ],
  [
    'a tensor of 2^64 dimensions',
    Buffer.concat([Buffer.from('GGUF'), u32(2), u64(1), u64(0), text('a'), u32(2 ** 32 - 1), u64(0)]),
    {},
  ],
])('a GGUF with %s is read as far as it is plausible', async (_, bytes, facts) => {
  await using at = await fixture('model');
  expect(await at.read('model', { 'a.gguf': bytes })).toMatchObject({ gguf: facts, tags: ['gguf', 'region:us'] });
  expect((await at.info('model', ['gguf'])) as object).toEqual(expect.objectContaining({ gguf: facts }));
});

describe('a check of metadata before a commit', () => {
  const check = async (hub: TestHub, content: string, headers: Readonly<Record<string, string>> = {}) => {
    const answer = await fetch(`${hub.url}/api/validate-yaml`, {
      method: 'POST',
      body: JSON.stringify({ content, repoType: 'model' }),
      headers: { 'content-type': 'application/json', ...headers },
    });
    return { status: answer.status, text: await answer.text() };
  };

  test('finds what is wrong, with or without a token', async () => {
    await using at = await fixture();
    const sound = README('license: mit')['README.md'];
    expect(await validateCard({ ...at.ada, content: sound, type: 'model' })).toEqual({ errors: [], warnings: [] });
    expect(await check(at.hub, sound)).toMatchObject({ status: 200 });
    expect(await check(at.hub, '# Hi')).toEqual({
      status: 200,
      text: '{"errors":[],"warnings":[{"message":"empty or missing yaml metadata in repo card"}]}',
    });
    const unknown = README('license: nobodys')['README.md'];
    expect(await check(at.hub, unknown)).toMatchObject({ status: 400, text: expect.stringContaining('"errors":[{') });
    expect(await check(at.hub, unknown, { accept: 'text/plain' })).toMatchObject({
      status: 400,
      text: expect.stringContaining('- Error: "license" must be one of [apache-2.0'),
    });
    expect(await check(at.hub, README('a: [')['README.md'])).toMatchObject({ status: 400 });
    expect(await check(at.hub, README('tags: {a: 1}\nlibrary_name: []')['README.md'])).toMatchObject({
      status: 400,
      text: expect.stringContaining('array of strings'),
    });
    // A blank line before the metadata makes no difference.
    expect(await check(at.hub, `\n${README('model-index: foo')['README.md']}`)).toMatchObject({
      status: 400,
      text: expect.stringContaining('\\"model-index\\" must be an array'),
    });
  });
});

test('a repository created with a README has its card, and one without is not read', async () => {
  await using at = await fixture('dataset');
  const content = README('license: mit')['README.md'];
  await createRepo({ ...at.ada, repo: 'ada/begun', files: [{ path: 'README.md', content }] });
  await at.hub.drain();
  expect(await getRepo({ ...at.ada, type: 'model', repo: 'ada/begun' })).toMatchObject({
    cardData: { license: 'mit' },
  });
  expect(await at.hub.database.read.selectFrom('repo_cards').select('repo_id').execute()).toHaveLength(1);
});

describe('downloads', () => {
  const MARKED = { 'x-hf-download-counter': '1' };

  test('count once per address and repository in five minutes, and neither for READMEs nor for HEAD', async () => {
    await using at = await fixture('model', 'dataset');
    await at.commit('model', { ...README('license: mit'), 'config.json': '{}', 'a.txt': 'a' });
    await at.commit('dataset', { 'a.txt': 'a' });
    const get = async (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') => {
      const authorization = `Bearer ${tokenOf('ada')}`;
      const answer = await fetch(at.hub.url + path, { method, headers: { authorization, ...headers } });
      expect([path, answer.status]).toEqual([path, 200]);
      await answer.text();
    };
    const counts = async (type: Type) => {
      await at.hub.drain();
      const info: { downloads?: number | undefined; downloadsAllTime?: number | undefined } = await at.info(type, [
        'downloads',
        'downloadsAllTime',
      ]);
      return [info.downloads, info.downloadsAllTime];
    };
    await get('/ada/model/resolve/main/config.json', {}, 'HEAD');
    await get('/ada/model/resolve/main/a.txt');
    await get('/ada/model/resolve/main/README.md', MARKED);
    expect(await counts('model')).toEqual([0, 0]);
    await get('/ada/model/resolve/main/config.json');
    await get('/ada/model/resolve/main/a.txt', MARKED);
    await get('/datasets/ada/dataset/resolve/main/a.txt', MARKED);
    expect([await counts('model'), await counts('dataset')]).toEqual([
      [1, 1],
      [1, 1],
    ]);
    at.hub.clock.advance(5 * MINUTE);
    await get('/ada/model/resolve/main/a.txt', MARKED);
    expect(await counts('model')).toEqual([2, 2]);
    at.hub.clock.advance(31 * DAY);
    expect(await counts('model')).toEqual([0, 2]);
    await get('/ada/model/resolve/main/a.txt', MARKED);
    expect([await counts('model'), await counts('dataset')]).toEqual([
      [1, 3],
      [0, 1],
    ]);
    const days = await at.hub.database.read.selectFrom('repo_downloads').select('day').where('day', '>', 0).execute();
    expect(days).toHaveLength(1);
  });
});
