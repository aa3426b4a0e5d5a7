// npm run generate: writes packages/client/src/generated from the routes of the contract: a function for each route
// that answers JSON, and a type for each schema with an id. Exports of packages/client/src/handwritten/<module>.ts take
// precedence.
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { RouteDeclaration } from '@moonbase/contract/route';
import { routesByModule } from '@moonbase/contract/routes';
import { functionText } from './client-function.ts';
import { importsOf, typesOf } from './client-types.ts';

/** Maps the name of each file to its text. */
type Files = ReadonlyMap<string, string>;

const root = fileURLToPath(new URL('..', import.meta.url));
const client = join(root, 'packages/client/src');
const folder = join(client, 'generated');
const FIRST_LINE = '// Written by `npm run generate` from the routes of packages/contract: edit those.';

/** Returns the files that the folder should contain. */
export async function generateClient(): Promise<Files> {
  const modules = Object.entries(routesByModule);
  const exported = new Set<string>();
  const files = new Map<string, string>();
  for (const [name, routes] of modules) files.set(`${name}.ts`, await moduleText(name, routes, exported));
  const names = modules.map(([name]) => name).sort();
  return formatted(
    files.set('index.ts', [FIRST_LINE, ...names.map((name) => `export * from './${name}.ts';`)].join('\n')),
  );
}

/** Returns the files that the folder contains. */
export function generatedClient(): Files {
  return new Map(fs.readdirSync(folder).map((name) => [name, fs.readFileSync(join(folder, name), 'utf8')]));
}

/** Returns the names of files that are edited, missing or without a module. */
export function differences(wanted: Files, found: Files): string[] {
  return [...new Set([...wanted.keys(), ...found.keys()])].filter((name) => wanted.get(name) !== found.get(name));
}

/** Each type is exported by the first module that uses it. */
async function moduleText(name: string, routes: readonly RouteDeclaration[], exported: Set<string>): Promise<string> {
  const byHand = join(client, 'handwritten', `${name}.ts`);
  const hasOwn = fs.existsSync(byHand);
  const own: object = hasOwn ? ((await import(pathToFileURL(byHand).href)) as object) : {};
  const types = routes.flatMap(typesOf).filter(([id]) => !exported.has(id) && exported.add(id));
  const functions = routes.filter(({ id }) => !(id in own)).map(functionText);
  const text = [...types.map(([id, type]) => `export type ${id} = ${type};`), ...functions].join('\n\n');
  const importing = (from: string, kind: string, ...names: string[]) => {
    const used = names.filter((each) => new RegExp(`\\b${each.replace('type ', '')}\\b`).test(text));
    if (used.every((each) => each.startsWith('type ')))
      return used.map((each) => `import type { ${each.replace('type ', '')} } from '${from}';`);
    return [`import ${kind}{ ${used.join(', ')} } from '${from}';`];
  };
  return [
    FIRST_LINE,
    ...importsOf(routes, text),
    ...importing('../operation.ts', 'type ', 'Entry', 'RouteBody', 'RouteParams', 'RouteQuery', 'SuccessAnswer'),
    ...importing('../pages.ts', '', 'entriesOf'),
    ...importing('../repo-name.ts', '', 'repoParams', 'splitRepo'),
    ...importing('../request.ts', '', 'call', 'type Hub'),
    '',
    ...(hasOwn ? [`export * from '../handwritten/${name}.ts';`, ''] : []),
    text,
  ].join('\n');
}

function formatted(files: Files): Files {
  const draft = fs.mkdtempSync(join(tmpdir(), 'moonbase-client-'));
  try {
    fs.copyFileSync(join(root, 'biome.json'), join(draft, 'biome.json'));
    for (const [name, text] of files) fs.writeFileSync(join(draft, name), text);
    const biome = join(root, 'node_modules/.bin/biome');
    execFileSync(biome, ['format', '--write', '--vcs-enabled=false', '.'], { cwd: draft, encoding: 'utf8' });
    return new Map([...files.keys()].map((name) => [name, fs.readFileSync(join(draft, name), 'utf8')]));
  } finally {
    fs.rmSync(draft, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const files = await generateClient();
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder);
  for (const [name, text] of files) fs.writeFileSync(join(folder, name), text);
}
