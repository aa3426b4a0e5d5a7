// npm run bench:report: writes the figures of docs/performance.*.json into docs/performance.md.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { pageWith, type Results } from './report/page.ts';

const docs = (name: string): string => fileURLToPath(new URL(`../docs/${name}`, import.meta.url));
const results = async (engine: Results['engine']) =>
  JSON.parse(await readFile(docs(`performance.${engine}.json`), 'utf8')) as Results;

const page = await readFile(docs('performance.md'), 'utf8');
await writeFile(docs('performance.md'), pageWith(page, await results('sqlite'), await results('postgres')));
