// The licences of the dependencies that are bundled into the program of the hub.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the folders of the packages whose files esbuild has bundled, sorted. */
function bundledIn({ outputs }) {
  const paths = Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs));
  const folders = paths.map((path) => /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(path)?.[0]).filter(Boolean);
  return [...new Set(folders)].sort((a, b) => (a < b ? -1 : 1));
}

function licenceOf(folder) {
  const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
  if (file) return readFileSync(join(folder, file), 'utf8').trim();
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).license;
}

/** Returns the licences of what esbuild has bundled according to its metafile, which these ask for. */
export function noticeOf(metafile) {
  const parts = bundledIn(metafile).map((folder) => {
    const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return `${name} ${version}\n\n${licenceOf(folder)}\n`;
  });
  return Buffer.from(`The files in this folder contain parts of these packages:\n\n${parts.join('\n\n')}`);
}
