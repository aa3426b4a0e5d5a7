// npm run generate: writes the tables of settings into docs/configuration.md.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { withSettings } from './settings-page.ts';

const page = fileURLToPath(new URL('../docs/configuration.md', import.meta.url));
await writeFile(page, withSettings(await readFile(page, 'utf8')));
