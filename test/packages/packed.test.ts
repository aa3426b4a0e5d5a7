import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const program = (name: string) => join(root, 'node_modules/.bin', name);
const PACKAGES = ['client', 'receiver'] as const;
type Package = (typeof PACKAGES)[number];

/** A project that contains only the packed packages. */
let project = '';
const tarballs = new Map<Package, string>();

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'moonbase-packed-'));
  await writeFile(join(project, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  for (const name of PACKAGES) {
    const { stdout } = await run('npm', ['pack', '--json', '--loglevel=error', '--pack-destination', project], {
      cwd: join(root, 'packages', name),
    });
    const [{ filename }] = JSON.parse(stdout.slice(stdout.indexOf('['))) as [{ filename: string }];
    tarballs.set(name, join(project, filename));
  }
  await run('npm', ['install', '--offline', '--no-audit', '--loglevel=error', ...tarballs.values()], { cwd: project });
});
afterAll(() => rm(project, { recursive: true, force: true }));

/** Returns the output of a failed program, which its error message omits. */
const output = (error: unknown): string => {
  const { stdout, stderr } = error as { stdout?: string; stderr?: string };
  return `${stdout}${stderr}`;
};

const entryPointsOf = async (name: Package): Promise<string[]> => {
  if (name === 'receiver') return ['.', 'node', 'web', 'fastify'];
  const modules = (await readdir(join(root, 'packages/client/src/generated'))).map((file) => file.slice(0, -3));
  return ['.', 'errors', 'pages', 'request', 'retry', ...modules];
};

describe.each(PACKAGES)('the package %s', (name) => {
  test('passes publint', async () => {
    const said = await run(program('publint'), ['--strict', tarballs.get(name)!]).then(({ stdout }) => stdout, output);
    expect(said).toMatch(/All good!/);
  });

  test('has types for every entry point wherever ES modules are resolved', async () => {
    const entryPoints = await entryPointsOf(name);
    const args = ['--profile', 'esm-only', '--no-color', '--format', 'ascii', '--entrypoints', ...entryPoints];
    const { stdout } = await run(program('attw'), [tarballs.get(name)!, ...args]).catch((error: unknown) => {
      throw new Error(output(error));
    });
    for (const resolution of ['node16 (from ESM)', 'bundler'])
      expect(stdout.split(`${resolution}: 🟢`)).toHaveLength(entryPoints.length + 1);
  });

  test('has no dependencies, and contains no tests', async () => {
    const folder = join(project, 'node_modules/@moonbase', name);
    const { dependencies } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
      dependencies?: object;
    };
    expect(dependencies).toBeUndefined();
    const files = await readdir(folder, { recursive: true });
    expect(files.filter((file) => file.includes('.test.'))).toEqual([]);
    expect(await readdir(join(project, 'node_modules/@moonbase'))).toEqual([...PACKAGES]);
  });
});

const USE = `import { createReceiver, isEvent, type WebhookPayload } from '@moonbase/receiver';
import { createFastifyPlugin } from '@moonbase/receiver/fastify';
import { serve } from '@moonbase/receiver/node';
import { createWebHandler } from '@moonbase/receiver/web';
import { createWebhook, HubApiError } from '@moonbase/client';
import { listDeliveries } from '@moonbase/client/webhooks';

const receiver = createReceiver({ secret: 'hush', log: { info() {}, warn() {}, error() {} } });
receiver.addWebhook(function refs(payload: WebhookPayload) {
  return isEvent(payload, 'repo.content.update') ? payload.updatedRefs.length : payload.repo.type;
});
receiver.on('discussion.comment.create', ({ comment }) => console.log(comment.content?.toUpperCase()));
const serving = await serve(receiver, { port: 0, log: { info() {} } });
const handle = createWebHandler(receiver);
const answer = await handle(new Request(serving.url + '/webhooks/refs', { method: 'POST' }));
const page: Response = await fetch(serving.url + '/webhooks');
console.log(answer.status, page.status, typeof createFastifyPlugin(receiver));
await serving.close();

const hub = { hubUrl: serving.url, accessToken: 'hf_nobody' };
const outcome = await createWebhook({
  ...hub,
  webhook: { watched: [{ type: 'user', name: 'ada' }], url: 'https://example.com/hook', domains: ['repo'] },
}).then(({ webhook }) => webhook.watched.map(({ type }) => type), (error: unknown) => error);
console.log(outcome instanceof HubApiError || outcome instanceof TypeError);
for await (const { id, attempts } of (() => [] as unknown as ReturnType<typeof listDeliveries>)()) console.log(id.length + attempts);
`;

test('an empty project runs both packages, with complete types', async () => {
  await writeFile(join(project, 'use.ts'), USE);
  // The compiler itself needs the types of Node.js.
  await symlink(join(root, 'node_modules/@types'), join(project, 'node_modules/@types'));
  const wrong = USE.replace("domains: ['repo']", "domains: ['repos']").replace('updatedRefs.length', 'movedTo.name');
  await writeFile(join(project, 'wrong.ts'), wrong);
  const compile = (file: string, ...more: string[]) =>
    run(
      program('tsc'),
      ['--strict', '--module', 'nodenext', '--target', 'es2023', '--lib', 'es2023', '--types', 'node', ...more, file],
      { cwd: project },
    ).then(() => '', output);
  expect(await compile('use.ts')).toBe('');
  const complaints = await compile('wrong.ts', '--noEmit');
  expect(complaints).toMatch(/"repos"' is not assignable/);
  expect(complaints).toMatch(/'.*movedTo' is possibly 'undefined'/);
  expect(complaints.trimEnd().split(/\n(?=\S)/)).toHaveLength(2);
  const { stdout } = await run(process.execPath, ['use.js'], { cwd: project });
  expect(stdout).toBe('401 200 function\ntrue\n');
});
