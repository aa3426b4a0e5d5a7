import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { pageWith, type Results } from '../../bench/report/page.ts';
import { TO_BARE_LOOP } from '../../bench/stats.ts';

const docs = (name: string): Promise<string> => readFile(new URL(`../../docs/${name}`, import.meta.url), 'utf8');

const results = (engine: Results['engine'], figures: Results['benches'][string]['figures']): Results => ({
  engine,
  database: '1.2',
  moonbase: '0.0.1',
  node: 'v20',
  machine: { cores: 2, model: 'A', memoryGiB: 4 },
  benches: {
    deliveries: {
      date: '2026-01-01',
      figures: [{ name: TO_BARE_LOOP, value: 0.2, unit: 'ratio', rounds: ['10 : 50', '10 : 5000', '10 : 600'] }],
    },
    list: { date: '2026-01-01', figures },
  },
});

const MARKS = '<!-- From here on written by `npm run bench:report` from the two JSON files. -->\n<!-- To here. -->\n';

test('docs/performance.md contains the figures that npm run bench:report writes', async () => {
  const page = await docs('performance.md');
  const of = async (engine: string) => JSON.parse(await docs(`performance.${engine}.json`)) as Results;
  expect(page).toBe(pageWith(page, await of('sqlite'), await of('postgres')));
});

test('the report keeps handwritten text, and shows each figure with its bound and a verdict on each engine', () => {
  const name = 'list of 50';
  const written = pageWith(
    `Before.\n${MARKS}After.\n`,
    results('sqlite', [{ name, value: 0.6, unit: 'ratio', bound: { atLeast: 0.5 }, grows: 'rows' }]),
    results('postgres', [{ name, value: 0.24, unit: 'ratio', bound: { atLeast: 0.3 }, grows: 'rows' }]),
  );
  expect(written).toMatch(/^Before\.\n<!--/);
  expect(written).toMatch(/-->\nAfter\.\n$/);
  const row = '| list of 50 | ≥ 0.5, ≥ 0.3 | 0.600, holds | 0.240, **falls short** |';
  expect(written.split('\n').filter((line) => line === row)).toHaveLength(2);
  expect(written).toContain('| databases | SQLite 1.2, PostgreSQL 1.2 |');
  expect(written).toContain('| bare loop of posts | beside SQLite 600 a second, beside PostgreSQL 600 a second |');
  expect(written).not.toContain('### With replicas');
});

test('a page without the marked lines is refused', () => {
  expect(() => pageWith('By hand.', results('sqlite', []), results('postgres', []))).toThrow('has no lines');
});
