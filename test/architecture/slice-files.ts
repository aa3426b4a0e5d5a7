import { isKnown, isSlice, SERVER, unitOf, withinServer } from './server-layout.ts';
import { isTest, type SourceTree } from './source-tree.ts';

const VAGUE = /^(utils?|helpers?|common|misc|lib|types|interfaces|constants)$/;
const KEBAB_CASE = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** Only the slices and top-level files of the architecture exist. */
export function knownNames(tree: SourceTree): string[] {
  return serverFiles(tree)
    .filter((path) => !isTest(path) || withinServer(path).includes('/'))
    .filter((path) => !isKnown(path))
    .map((path) => `${path}: the architecture names no ${unitOf(path)} in ${SERVER}`);
}

/** A file is named after the vocabulary of slices or a concept of its own, never after a vague category. */
export function tellingNames(tree: SourceTree): string[] {
  return serverFiles(tree)
    .filter((path) => !isTest(path) && !path.endsWith('/README.md'))
    .flatMap((path) =>
      withinServer(path)
        .replace(/\.tsx?$/, '')
        .split('/')
        .flatMap((name) => {
          if (VAGUE.test(name)) return [`${path}: "${name}" says nothing; name it after what it holds`];
          return KEBAB_CASE.test(name) ? [] : [`${path}: "${name}" is not in kebab-case`];
        }),
    );
}

/** Every slice has an index.ts and a short README. */
export function sliceFurniture(tree: SourceTree): string[] {
  const slices = new Set(serverFiles(tree).map(unitOf).filter(isSlice));
  return [...slices].flatMap((slice) => {
    const readme = tree.get(`${SERVER}${slice}/README.md`);
    const lines = readme?.split('\n').filter((line) => line.trim() !== '').length ?? 0;
    return [
      ...(tree.has(`${SERVER}${slice}/index.ts`) ? [] : [`${slice} has no index.ts`]),
      ...(readme === undefined ? [`${slice} has no README.md`] : []),
      ...(readme !== undefined && (lines < 4 || lines > 10)
        ? [`${slice}/README.md has ${lines} non-empty lines, not 4 to 10`]
        : []),
    ];
  });
}

function serverFiles(tree: SourceTree): string[] {
  return [...tree.keys()].filter((path) => path.startsWith(SERVER));
}
