import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** Returns the targets of the links of a document, without those to other hosts. */
const linksOf = (file: string): string[] =>
  [...read(file).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^\w+:/.test(target));

const documents = readdirSync(join(root, 'docs'))
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`);

/** Returns the anchor of each heading, as GitHub makes it. */
const anchorsOf = (file: string): string[] =>
  [...read(file).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/ /g, '-'),
  );

test('docs/README.md leads to every document', () => {
  const reached = new Set(linksOf('docs/README.md').map((target) => `docs/${target.replace(/#.*/, '')}`));
  expect(documents.filter((file) => file !== 'docs/README.md' && !reached.has(file))).toEqual([]);
});

test.each(['README.md', 'CONTRIBUTING.md', ...documents])('the links of %s lead somewhere', (file) => {
  const broken = linksOf(file).filter((link) => {
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? file : join(dirname(file), path);
    if (!existsSync(join(root, target))) return true;
    return anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).includes(anchor);
  });
  expect(broken).toEqual([]);
});
