// The licences of the dependencies that are bundled into the program of the hub.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the folders of the packages whose files esbuild has bundled, sorted. */
function bundledIn({ outputs }) {
  const paths = Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs));
  const folders = paths.map((path) => /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(path)?.[0]).filter(Boolean);
  return [...new Set(folders)].sort((a, b) => (a < b ? -1 : 1));
}

/** Returns the name, the version and the licence of the package in a folder. */
function partOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  return `${name} ${version}\n\n${file ? readFileSync(join(folder, file), 'utf8').trim() : license}\n`;
}

/** Returns the licences of what esbuild has bundled according to its metafile, which these ask for. */
export const noticeOf = (metafile) =>
  Buffer.from(
    `The files in this folder contain parts of these packages:\n\n${bundledIn(metafile).map(partOf).join('\n\n')}`,
  );
