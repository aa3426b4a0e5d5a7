import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { settingsOf } from '../../packages/cli/src/hub-settings.ts';
import type { Command, Group } from '../../packages/cli/src/program/command.ts';
import { commands } from '../../packages/cli/src/program/commands.ts';
import { GROUPS, Settings } from '../../packages/server/src/config/groups.ts';
import { listSettings } from '../../packages/server/src/config/setting.ts';
import { COMMAND_LINE_VARIABLES } from '../../packages/server/src/config.ts';
import { withSettings } from '../../scripts/settings-page.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const filesBelow = (path: string): string[] =>
  statSync(join(root, path)).isFile()
    ? [path]
    : readdirSync(join(root, path), { withFileTypes: true, recursive: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(root.length));

const declared = new Map(listSettings(Settings).map((setting) => [setting.name, setting]));

test('docs/configuration.md has a row for each setting, written by npm run generate', () => {
  const page = read('docs/configuration.md');
  expect(page).toBe(withSettings(page));
});

test('a page without the marked lines is refused', () => {
  expect(() => withSettings('By hand.')).toThrow('has no lines');
});

test('every setting is declared once, in one group, and is described by a sentence', () => {
  const listed = GROUPS.flatMap(({ group }) => listSettings(group));
  expect(listed.map(({ name }) => name).sort()).toEqual([...declared.keys()].sort());
  expect(listed.filter(({ docs }) => !/^[`A-Z].*\.$/.test(docs))).toEqual([]);
});

describe('the settings named elsewhere', () => {
  /** Variables that other programs than the hub read. */
  const others = new Set([
    ...COMMAND_LINE_VARIABLES,
    ...['MOONBASE_IMAGE', 'MOONBASE_PUBLISH'], // deploy/compose.yaml
    ...['MOONBASE_SCHEMATHESIS', 'MOONBASE_SCREENSHOTS'], // test
  ]);
  const namesIn = (text: string) => [...text.matchAll(/\bMOONBASE_[A-Z0-9_]*[A-Z0-9]/g)].map(([name]) => name);
  const isKnown = (name: string) => declared.has(name) || others.has(name) || /^MOONBASE_(TEST|FUZZ)_/.test(name);

  test.each([
    ...['README.md', 'SECURITY.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'docs', 'deploy', 'examples', 'demo'],
    ...readdirSync(join(root, 'packages')).map((name) => `packages/${name}/src`),
  ])('are declared, in %s', (path) => {
    const files = filesBelow(path).filter((file) => !/(\.test\.tsx?|\.jpg|\.png)$/.test(file));
    const unknown = files.flatMap((file) => {
      const names = namesIn(read(file)).filter((name) => !isKnown(name));
      return names.map((name) => `${file}: ${name}`);
    });
    expect(unknown).toEqual([]);
  });
});

test('deploy/env.example has every variable that deploy/compose.yaml requires', () => {
  const needed = [...read('deploy/compose.yaml').matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name);
  const given = [...read('deploy/env.example').matchAll(/^(\w+)=/gm)].map(([, name]) => name);
  expect(needed.length).toBeGreaterThan(0);
  expect(given).toEqual(expect.arrayContaining(needed));
});

describe('the command line', () => {
  const all = (entries: readonly (Command | Group)[]): Command[] =>
    entries.flatMap((entry) => ('commands' in entry ? all(entry.commands) : [entry]));
  const options = all(commands).flatMap(({ name, options }) =>
    Object.entries(options)
      .filter(([, { help }]) => /MOONBASE_(?!URL)/.test(help))
      .map(([option, { help, choices }]) => ({ command: name, option, help, choices })),
  );

  test.each(options)('describes --$option of $command as declared', ({ option, help, choices }) => {
    const [name = ''] = Object.keys(settingsOf({ [option]: 'x' }, { env: {} }));
    const setting = declared.get(name);
    expect(help).toContain(name);
    expect(choices).toEqual(setting?.choices);
    expect(/default: ([^)]*)\)/.exec(help)?.[1]).toBe(choices ? undefined : setting?.default);
  });

  test('has options for settings, such as those of serve', () => {
    expect(new Set(options.map(({ command }) => command))).toContain('serve');
  });
});
