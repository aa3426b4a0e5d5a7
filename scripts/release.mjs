// node scripts/release.mjs VERSION [FOLDER]: makes the checkout that of a release. Writes the version wherever the last one
// stands, gives what is under "Unreleased" in the changelog its heading, and notes the newest migration. Commits and publishes
// nothing.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MIGRATIONS = 'packages/server/migrations';
const [wanted = '', folder = fileURLToPath(new URL('..', import.meta.url))] = process.argv.slice(2);

const fail = (sentence) => {
  console.error(sentence);
  process.exit(2);
};

const read = (file) => readFileSync(join(folder, file), 'utf8');
const numbers = (version) => version.split('.').map(Number);

/** Returns whether a version is above another one. */
function isAbove(version, other) {
  const others = numbers(other);
  const at = numbers(version).findIndex((number, index) => number !== others[index]);
  return at >= 0 && numbers(version)[at] > others[at];
}

const packages = readdirSync(join(folder, 'packages')).map((name) => `packages/${name}/package.json`);
const { version: last } = JSON.parse(read('package.json'));

if (!/^\d+\.\d+\.\d+$/.test(wanted)) fail('Name a version, as in: node scripts/release.mjs 1.4.0');
if (!isAbove(wanted, last)) fail(`The version must be above ${last}.`);

/** Replaces the version, of the package and of the others that it needs, and nothing else. */
const inPackage = (text) =>
  text
    .replace(`"version": "${last}"`, `"version": "${wanted}"`)
    .replaceAll(new RegExp(`("@moonbase/[a-z]+": )"${last}"`, 'g'), `$1"${wanted}"`);

/** Replaces the versions of the packages of this repository in the lock file. */
function inLock(text) {
  const lock = JSON.parse(text);
  lock.version = wanted;
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (path !== '' && !path.startsWith('packages/')) continue;
    entry.version = wanted;
    for (const kind of ['dependencies', 'devDependencies'])
      for (const name of Object.keys(entry[kind] ?? {})) if (name.startsWith('@moonbase/')) entry[kind][name] = wanted;
  }
  return `${JSON.stringify(lock, undefined, 2)}\n`;
}

function inChangelog(text) {
  const [, unreleased = ''] = /^## Unreleased\n(.*?)(?=^## |(?![\s\S]))/ms.exec(text) ?? [];
  if (unreleased.trim() === '') fail('CHANGELOG.md has nothing under "Unreleased": there is nothing to release.');
  const today = new Date().toISOString().slice(0, 10);
  return text.replace(/^## Unreleased\n/m, () => `## Unreleased\n\n## ${wanted} (${today})\n`);
}

/** Adds the release to those whose migrations later versions know. */
function inReleases(text) {
  const names = readdirSync(join(folder, MIGRATIONS)).filter((name) => /^\d{4}-[^.]+\.sql$/.test(name));
  const newest = names.sort().at(-1).replace('.sql', '');
  const lines = [...JSON.parse(text), { version: wanted, newest }].map((each) => `  ${JSON.stringify(each)}`);
  return `[\n${lines.join(',\n')}\n]\n`;
}

const changes = [
  ['CHANGELOG.md', inChangelog],
  ...['package.json', ...packages].map((file) => [file, inPackage]),
  ['package-lock.json', inLock],
  [`${MIGRATIONS}/releases.json`, inReleases],
  ['packages/server/src/platform/version.ts', (text) => text.replace(`'${last}'`, `'${wanted}'`)],
  ['deploy/Dockerfile', (text) => text.replace(`VERSION=${last}`, `VERSION=${wanted}`)],
  ['deploy/helm/moonbase/Chart.yaml', (text) => text.replaceAll(`ersion: ${last}`, `ersion: ${wanted}`)],
].map(([file, change]) => [file, change(read(file))]);

for (const [file, text] of changes) writeFileSync(join(folder, file), text);
console.log(`${last} became ${wanted} in ${changes.length} files. Look at them, and then:`);
console.log(`  git commit -am 'Version ${wanted}' && git tag v${wanted} && git push --follow-tags`);
