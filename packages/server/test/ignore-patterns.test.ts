import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createEffort } from '../src/content/patterns/effort.ts';
import { lfsFilter } from '../src/content/patterns/git-attributes.ts';
import { ignoreFilter } from '../src/content/patterns/git-ignore.ts';
import { toByteText } from '../src/platform/git/objects/byte-text.ts';
import { hasStockGit } from './stock-git.ts';

const SEGMENTS = [
  'a',
  'b',
  'ab',
  'ba',
  'aab',
  'é',
  '.a',
  'b.a',
  'a b',
  'A1',
  '-',
  '!',
  '#a',
  'a*',
  '[a]',
  ']',
  '\\',
  'foo',
];
const PIECES = [
  ...[
    'a',
    'b',
    'é',
    '.',
    '-',
    'foo',
    '*',
    '*',
    '**',
    '?',
    '/',
    '/',
    '**/',
    '/**',
    '\\',
    '\\*',
    '\\ ',
    '\\/',
    ' ',
    '!',
    '#',
  ],
  ...[
    '[ab]',
    '[!a]',
    '[^b]',
    '[a-c]',
    '[]a]',
    '[a-]',
    '[[:alpha:]]',
    '[[:digit:][:punct:]]',
    '[[:nope:]]',
    '[\\]a]',
    '[',
  ],
];

const path = fc.array(fc.constantFrom(...SEGMENTS), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
const paths = fc.uniqueArray(path, { minLength: 30, maxLength: 60 });
const pattern = fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(''));
const ignoreText = fc.tuple(fc.array(pattern, { maxLength: 5 }), fc.constantFrom('\n', '\r\n'));

const setting = fc.constantFrom(
  'filter=lfs',
  '-filter',
  'filter',
  'filter=other',
  'one',
  '-one',
  'two',
  'text',
  '-x=y',
  'b@d',
);
const settings = fc.array(setting, { minLength: 1, maxLength: 3 }).map((words) => words.join(' '));
const attributeLine = fc.oneof(
  fc.tuple(pattern, settings).map((words) => words.join(' ')),
  fc.tuple(pattern, settings).map(([text, rest]) => `"${text.replaceAll(/["\\]/g, '\\$&')}" ${rest}`),
  fc
    .tuple(fc.constantFrom('[attr]one', '[attr]two', '"[attr]one"', '[attr]'), settings)
    .map((words) => words.join('\t')),
);
const attributeText = fc.array(attributeLine, { maxLength: 6 }).map((lines) => lines.join('\n'));

/** Opens a folder in which stock git reads files of patterns. */
function openFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'moonbase-patterns-'));
  const env = { ...process.env, GIT_CONFIG_NOSYSTEM: '1', HOME: folder, XDG_CONFIG_HOME: folder };
  const git = (args: readonly string[], input = '') =>
    spawnSync('git', args, { cwd: folder, env, input }).stdout.toString().split('\0').slice(0, -1);
  git(['init', '-q']);
  const asked = (all: readonly string[]) => all.map((each) => `${each}\0`).join('');
  return {
    ignored(text: string, all: readonly string[]): string[] {
      writeFileSync(join(folder, '.gitignore'), text);
      return git(['check-ignore', '--no-index', '--stdin', '-z'], asked(all));
    },
    large(text: string, all: readonly string[]): string[] {
      writeFileSync(join(folder, '.gitattributes'), text);
      const answers = git(['check-attr', '--stdin', '-z', 'filter'], asked(all));
      return answers.filter((_, at) => at % 3 === 0 && answers[at + 2] === 'lfs');
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function chosen(all: readonly string[], isChosen: (path: string) => Promise<boolean | undefined>) {
  const found: string[] = [];
  for (const each of all) if (await isChosen(each)) found.push(each);
  return found;
}

describe.runIf(hasStockGit)('patterns', () => {
  test('of .gitignore exclude what stock git excludes', async () => {
    using folder = openFolder();
    await fc.assert(
      fc.asyncProperty(ignoreText, paths, async ([lines, end], all) => {
        const text = lines.join(end);
        const isIgnored = await ignoreFilter([toByteText(text)], createEffort());
        expect(await chosen(all, isIgnored)).toEqual(folder.ignored(text, all));
      }),
      { numRuns: 150 },
    );
  });

  test('of .gitattributes choose the large files that stock git chooses', async () => {
    using folder = openFolder();
    await fc.assert(
      fc.asyncProperty(attributeText, paths, async (text, all) => {
        const isLarge = await lfsFilter(toByteText(text), createEffort());
        expect(await chosen(all, isLarge)).toEqual(folder.large(text, all));
      }),
      { numRuns: 150 },
    );
  });
});
