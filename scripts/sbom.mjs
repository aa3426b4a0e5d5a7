// Writes the software bill of materials of a release, in CycloneDX: node scripts/sbom.mjs [FILE]
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { lockedPackages } from './locked.mjs';

const { name, version } = JSON.parse(readFileSync('package.json', 'utf8'));
const file = process.argv[2] ?? `${name}-${version}.cdx.json`;

// The command reads the lock file, because the installation lacks packages for other platforms. It lists all packages,
// and then those without development, since `--omit dev` would omit dependencies of workspace packages.
const command = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', '--sbom-type', 'application'];
const bom = JSON.parse(
  execFileSync('npm', command, { encoding: 'utf8', maxBuffer: 2 ** 28, stdio: ['ignore', 'pipe', 'ignore'] }),
);

const shipped = new Set(
  lockedPackages('.')
    .filter(({ dev }) => !dev)
    .map((each) => `${each.name}@${each.version}`),
);
// npm names workspace packages and the workspace by their folders, and an alias by the alias.
const nameOf = (reference) => reference.slice(0, reference.lastIndexOf('@'));
const components = bom.components
  .filter((each) => shipped.has(each['bom-ref']))
  .map((each) => ({ ...each, name: nameOf(each['bom-ref']) }));
const references = new Set([...components.map((each) => each['bom-ref']), bom.metadata.component['bom-ref']]);
const dependencies = bom.dependencies
  .filter(({ ref }) => references.has(ref))
  .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((each) => references.has(each)) }));

const metadata = { ...bom.metadata, component: { ...bom.metadata.component, name } };
writeFileSync(file, `${JSON.stringify({ ...bom, metadata, components, dependencies }, null, 2)}\n`);
console.log(`${file}: ${components.length} components`);
