import { spawn } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { noBrowser } from '../browser/chromium.ts';
import { signIn as signInAt } from '../browser/people.ts';
import { openBrowser, visit } from '../browser/visitor.ts';
import { programOf } from './python-clients.ts';
import { PASSWORD, signIn } from './sign-in.ts';
import { startWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

/**
 * Runs a program until it prints a code of the form ABCD-EFGH; `code` resolves to the code, `page` to the address that
 * the program printed before it, and `ended` at the end of the program.
 */
function begin(program: string, args: readonly string[]) {
  const child = spawn(program, args, { env: world.environment(), stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  const ended = new Promise<{ status: number | null; text: string }>((resolve) => {
    child.on('close', (status) => resolve({ status, text }));
  });
  const code = new Promise<string>((resolve, reject) => {
    const hear = (chunk: Buffer) => {
      text += chunk.toString();
      const [found] = /\b[A-Z]{4}-[A-Z]{4}\b/.exec(text) ?? [];
      if (found !== undefined) resolve(found);
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.on('close', () => reject(new Error(`It ended without a code: ${text}`)));
  });
  const page = code.then(() => /https?:\/\/[^\s'"]+/.exec(text)?.[0] ?? '');
  return { code, page, ended };
}

test.each([
  ['hf auth login', 'hf', ['auth', 'login']],
  ['login()', 'python', ['-c', 'from huggingface_hub import login; login()']],
] as const)('%s of huggingface_hub logs in with a code that its user confirms', async (_name, program, args) => {
  await rm(world.environment().HF_HOME, { recursive: true, force: true });
  const { post } = await signIn(world);
  const { code, ended } = begin(programOf('newest', program), args);
  const decided = await post('/api/oauth/device/decision', {
    userCode: await code,
    decision: 'allow',
    organizations: ['acme'],
  });
  expect(decided.status).toBe(200);
  const { status, text } = await ended;
  expect([status, text]).toEqual([0, expect.any(String)]);

  const home = world.environment().HF_HOME;
  expect(await readFile(join(home, 'token'), 'utf8')).toMatch(/^hf_oauth_[0-9A-Za-z]+$/);
  const stored = await readFile(join(home, 'stored_tokens'), 'utf8');
  expect(stored).toMatch(/\[oauth-alice\]\n(.*\n)*refresh_token = hf_refresh_/);
  const { stdout } = await runHf(['auth', 'whoami', '--format', 'json']);
  expect(JSON.parse(stdout)).toMatchObject({ user: 'alice', orgs: 'acme' });

  // The library renews tokens that have less than a day left.
  const soon = Math.floor(Date.now() / 1000) + 3600;
  await writeFile(join(home, 'stored_tokens'), stored.replace(/expires_at = \d+/, `expires_at = ${soon}`));
  expect((await runHf(['auth', 'whoami'])).status).toBe(0);
  const renewed = await readFile(join(home, 'stored_tokens'), 'utf8');
  expect(renewed).not.toContain(`expires_at = ${soon}`);
  expect((await runHf(['auth', 'list'])).stdout).toContain('oauth-alice');
  expect((await runHf(['auth', 'logout'])).status).toBe(0);
});

test.skipIf(noBrowser)(
  'hf auth login ends when its user enters its code on the page whose address it prints',
  async () => {
    await rm(world.environment().HF_HOME, { recursive: true, force: true });
    await signIn(world);
    const login = begin(programOf('newest', 'hf'), ['auth', 'login']);
    await using browser = await openBrowser();
    await using visitor = await visit(browser, world.hubUrl);
    const { page, complaints } = visitor;
    await page.goto(await login.page);
    await signInAt(page, 'alice', PASSWORD);
    await page.getByRole('textbox', { name: 'Code' }).fill(await login.code);
    await page.keyboard.press('Enter');
    await page.getByText('Hugging Face CLI').waitFor();
    await page.getByRole('button', { name: 'Log it in' }).click();
    await page.getByText('The program is logged in').waitFor();
    expect(await login.ended).toMatchObject({ status: 0 });
    const { stdout } = await runHf(['auth', 'whoami', '--format', 'json']);
    expect(JSON.parse(stdout)).toMatchObject({ user: 'alice' });
    expect(complaints).toEqual([]);
  },
);

/** Runs `hf` with the tokens stored in its home folder. */
function runHf(args: readonly string[]): Promise<{ status: number | null; stdout: string }> {
  const child = spawn(programOf('newest', 'hf'), args, { env: world.environment(), stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  return new Promise((resolve) => {
    child.on('close', (status) => resolve({ status, stdout }));
  });
}
