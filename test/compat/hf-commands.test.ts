import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { applyHub } from '@moonbase/client/admin';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { COMMANDS, type Command, ELSEWHERE } from './hf-commands.ts';
import { isAsExpected, pageOf, rowAbout, rowOf } from './outcomes.ts';
import { startWorld, type World } from './world.ts';

interface Ran {
  /** All commands of `hf`, without `hf`. */
  readonly leaves: readonly string[];
  readonly ran: readonly { readonly line: string; readonly status: number; readonly output: string }[];
}

const PAGE = fileURLToPath(new URL('../../docs/hf-commands.md', import.meta.url));

let world: World;
beforeAll(async () => {
  world = await startWorld();
  const paper = { id: '2401.01234', title: 'On moons', summary: 'They are round.', authors: [{ name: 'Alice L.' }] };
  await applyHub({ ...world.as('admin'), document: { papers: [paper] } });
});
afterAll(() => world[Symbol.asyncDispose]());

/** Makes a folder with the files that the commands name. */
async function workFolder(): Promise<string> {
  const folder = join(world.environment().HF_HOME, '..', 'work');
  await mkdir(join(folder, 'files'), { recursive: true });
  const files = {
    'README.md': '---\nlicense: mit\n---\n# Tour\n',
    'notes.txt': 'Notes.\n',
    'table.csv': 'a,b\n1,2\n',
    'app.py': 'print("hello")\n',
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, 'files', name), text);
  execFileSync('git', ['init', '--quiet', 'clone'], { cwd: folder });
  return folder;
}

const commandLine = ({ run, arguments: rest }: Command) => `${run} ${rest}`.trim();
const shown = (text: string) => text.replace(/--token \S+/, '--token TOKEN');

/** Returns the page of the documentation that says what each command does here. */
function commandsPage(leaves: readonly string[]): string {
  const rows = leaves.flatMap((leaf) => {
    const tried = COMMANDS.filter(({ run }) => run === leaf);
    const elsewhere = ELSEWHERE.find(([prefix]) => leaf === prefix || leaf.startsWith(`${prefix} `));
    if (elsewhere) return [rowAbout(`hf ${leaf}`, elsewhere[1])];
    return tried.map((command) => rowOf(`hf ${shown(commandLine(command))}`, command));
  });
  return pageOf(INTRODUCTION, 'command', rows);
}

const INTRODUCTION = `# The commands of \`hf\`

What each command of \`hf\` 2.4.0 does with this hub, in the words that it prints where it fails. \`npm run test:compat\` runs
them and writes this page (\`-u\`), with \`MOONBASE_JOBS_RUNNER=process\` and the default settings otherwise. What stands in
braces was found in the output of an earlier command. See [clients.md](clients.md).`;

test('each command of hf works, or says why not', async () => {
  const commands = COMMANDS.map((command) => ({ ...command, run: commandLine(command) }));
  const { leaves, ran } = JSON.parse(await world.printed('commands', { commands }, await workFolder())) as Ran;
  const wrong = ran.filter(
    ({ status, output }, at) => !isAsExpected(COMMANDS[at] ?? {}, status === 0 ? undefined : output),
  );
  expect(wrong).toEqual([]);
  const known = (leaf: string) =>
    COMMANDS.some(({ run }) => run === leaf) || ELSEWHERE.some(([prefix]) => `${leaf} `.startsWith(`${prefix} `));
  expect(leaves.filter((leaf) => !known(leaf))).toEqual([]);
  await expect(commandsPage(leaves)).toMatchFileSnapshot(PAGE);
});
