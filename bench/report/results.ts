import { readFile, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import Libsql from 'libsql';
import pg from 'pg';
import { VERSION } from '../../packages/server/src/platform/version.ts';
import { engine } from '../hub.ts';
import type { Figure } from '../stats.ts';
import type { BenchResult, Results } from './page.ts';

export const fileOf = (of: Results['engine']): string =>
  fileURLToPath(new URL(`../../docs/performance.${of}.json`, import.meta.url));

/** Returns the machine and versions of a measurement; all figures of one file have the same. */
async function place(): Promise<Omit<Results, 'benches'>> {
  return {
    engine,
    database: await databaseVersion(),
    moonbase: VERSION,
    node: process.version,
    machine: { cores: cpus().length, model: cpus()[0]?.model ?? '', memoryGiB: Math.round(totalmem() / 2 ** 30) },
  };
}

async function databaseVersion(): Promise<string> {
  if (engine === 'sqlite')
    return String((new Libsql(':memory:').prepare('select sqlite_version() as v').get() as { v: string }).v);
  const client = new pg.Client({ connectionString: process.env.MOONBASE_TEST_POSTGRES_URL });
  await client.connect();
  const { rows } = await client.query<{ server_version: string }>('show server_version');
  await client.end();
  return rows[0]?.server_version.split(' ')[0] ?? '';
}

const toFourDigits = (value: number): number => Number(value.toPrecision(4));

/** Returns the figures of one benchmark in their stored form. */
export const resultOf = (figures: readonly Figure[]): BenchResult => ({
  date: new Date().toISOString().slice(0, 10),
  figures: figures.map(({ rounds, ...figure }) => ({
    ...figure,
    value: toFourDigits(figure.value),
    ...(rounds && { rounds: rounds.map((round) => round.map(toFourDigits).join(' : ')) }),
  })),
});

/**
 * Writes figures to a file and replaces those of the same benchmarks; figures of other benchmarks stay if they have the
 * same machine and versions.
 */
export async function writeResults(file: string, benches: Readonly<Record<string, BenchResult>>): Promise<void> {
  const here = await place();
  const before = await readFile(file, 'utf8').then(
    (text) => JSON.parse(text) as Results,
    () => undefined,
  );
  const { benches: kept = {}, ...there } = before ?? {};
  const alike = JSON.stringify(there) === JSON.stringify(here);
  if (before && !alike) console.error(`${file} held figures of another machine or version, which are dropped`);
  const results: Results = { ...here, benches: { ...(alike && kept), ...benches } };
  await writeFile(file, `${JSON.stringify(results, undefined, 2)}\n`);
}
