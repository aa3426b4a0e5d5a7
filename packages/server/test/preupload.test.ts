import { describe, expect, test } from 'vitest';
import { contentHub, jsonOf } from './content-hub.ts';

type ContentHub = Awaited<ReturnType<typeof contentHub>>;

interface Answer {
  readonly status: number;
  readonly error?: string;
  readonly files?: readonly { readonly path: string; readonly uploadMode: string; readonly shouldIgnore: boolean }[];
}

/** Asks how to upload small files. */
async function preupload(
  at: ContentHub,
  given: { readonly paths: readonly string[]; readonly gitIgnore?: string; readonly gitAttributes?: string },
): Promise<Answer> {
  const { paths, ...patterns } = given;
  const files = paths.map((path) => ({ path, size: 5, sample: '' }));
  const response = await at.ask('/api/models/ada/m/preupload/main', {
    method: 'POST',
    body: JSON.stringify({ files, ...patterns }),
    headers: { 'content-type': 'application/json' },
  });
  return { ...(await jsonOf<Omit<Answer, 'status'>>(response)), status: response.status };
}

const ignoredIn = ({ files = [] }: Answer) => files.flatMap(({ path, shouldIgnore }) => (shouldIgnore ? [path] : []));
const lines = (count: number, line: (at: number) => string) => Array.from({ length: count }, (_, at) => line(at));

describe('many patterns', () => {
  test('apply to the last one, in a batch of files as clients send it', async () => {
    await using at = await contentHub();
    const last = '\nlast.txt\n!kept.txt\n';
    const gitIgnore = `${lines(20_000, (line) => `/src/path${line}/**/*.o`)
      .join('\n')
      .slice(0, 262_144 - last.length)}${last}`;
    const paths = lines(254, (file) => `src/path${file}/deep/${file}.o`);
    const answer = await preupload(at, { paths: [...paths, 'some/last.txt', 'kept.txt'], gitIgnore });
    expect(answer.status).toBe(200);
    expect(ignoredIn(answer)).toEqual([...paths, 'some/last.txt']);
    const gitAttributes = lines(5_000, (line) => `*${line}.bin filter=lfs`).join('\n');
    const { files = [] } = await preupload(at, { paths: ['x/a4999.bin', 'x/4999.bi'], gitAttributes });
    expect(files.map(({ uploadMode }) => uploadMode)).toEqual(['lfs', 'regular']);
  });

  test('that are hostile are refused, whether the request or the repository has them', async () => {
    await using at = await contentHub();
    const paths = lines(1_000, (file) => `${'d/'.repeat(20)}${file}`);
    const hostile = lines(40_000, () => '[ab]*').join('\n');
    const error = expect.stringContaining('take too long to match');
    expect(await preupload(at, { paths, gitIgnore: hostile })).toMatchObject({ status: 422, error });
    const attributes = lines(15_000, () => '[ab]* filter=lfs')
      .join('\n')
      .slice(0, 262_144);
    expect(await preupload(at, { paths, gitAttributes: attributes })).toMatchObject({ status: 422, error });
    await at.commit({ files: { '.gitignore': hostile } });
    expect(await preupload(at, { paths })).toMatchObject({ status: 422, error });
    expect(await preupload(at, { paths: ['one.txt', 'a.txt'] })).toMatchObject({ status: 200 });
  });

  test('above 256 KiB are refused in a request, and ignored in a repository', async () => {
    await using at = await contentHub();
    const text = `*.txt\n${'#'.repeat(262_144)}`;
    const gitIgnore = await preupload(at, { paths: ['a.txt'], gitIgnore: text });
    expect(gitIgnore).toMatchObject({ status: 400, error: expect.stringContaining('gitIgnore') });
    expect(await preupload(at, { paths: ['a.txt'], gitAttributes: text })).toMatchObject({ status: 400 });
    await at.commit({ files: { '.gitignore': text } });
    expect(ignoredIn(await preupload(at, { paths: ['a.txt'] }))).toEqual([]);
    await at.commit({ files: { '.gitignore': `*.txt\n${'!'.repeat(2_047)}a.txt\n` } });
    expect(ignoredIn(await preupload(at, { paths: ['a.txt'] }))).toEqual(['a.txt']);
  });
});
