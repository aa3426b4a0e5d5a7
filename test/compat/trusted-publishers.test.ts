import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRepo } from '@moonbase/client/repositories';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTokenIssuer } from '../../packages/server/test/token-issuer.ts';
import { programOf } from './python-clients.ts';
import { signIn } from './sign-in.ts';
import { startWorld, type World } from './world.ts';

let world: World;
let issuer: Awaited<ReturnType<typeof startTokenIssuer>>;
beforeAll(async () => {
  issuer = await startTokenIssuer();
  world = await startWorld();
  for (const name of ['keyless', 'other'])
    await createRepo({ ...world.as('alice'), repo: `alice/${name}`, private: true });
  const { post } = await signIn(world);
  const claims = { repository: 'acme/training', ref: 'refs/heads/main' };
  const made = await post('/api/settings/trusted-publishers', {
    resource: 'alice/keyless',
    issuer: issuer.url,
    claims,
  });
  expect(made.status).toBe(200);
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
  await issuer[Symbol.asyncDispose]();
});

const jobToken = (audience: string | null, ref = 'refs/heads/main') => {
  const now = Math.floor(Date.now() / 1000);
  const claims = { repository: 'acme/training', ref, sub: `repo:acme/training:ref:${ref}` };
  return issuer.sign({ ...claims, aud: audience ?? 'nobody', iat: now, exp: now + 300 });
};

/** Starts a server that gives jobs tokens as the runner of GitHub Actions does. */
async function startRunner(ref?: string) {
  const server = createServer((request, response) => {
    const audience = new URL(request.url ?? '/', 'http://runner').searchParams.get('audience');
    const isJob = request.headers.authorization === 'Bearer of the job';
    void jobToken(isJob ? audience : null, ref).then((value) =>
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ value })),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    environment: {
      GITHUB_ACTIONS: 'true',
      ACTIONS_ID_TOKEN_REQUEST_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/token?api-version=2.0`,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'of the job',
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Runs a program that has no access token of its own. */
const run = (program: 'hf' | 'python', args: readonly string[], environment: Readonly<Record<string, string>>) =>
  new Promise<{ ok: boolean; text: string }>((resolve) => {
    const env = { ...world.environment(), HF_OIDC_RESOURCE: 'alice/keyless', ...environment };
    execFile(programOf('newest', program), [...args], { env }, (error, stdout, stderr) =>
      resolve({ ok: error === null, text: stdout + stderr }),
    );
  });

const tagging = (repo: string) => [
  '-c',
  `from huggingface_hub import HfApi; HfApi().create_tag("${repo}", tag="v1", exist_ok=True); print("tagged")`,
];

test('a GitHub Actions job changes the repository that trusts it, and no other, without a secret', async () => {
  await using runner = await startRunner();
  const who = await run('hf', ['auth', 'whoami'], runner.environment);
  expect([who.ok, who.text]).toEqual([true, expect.stringContaining('alice')]);
  const tagged = await run('python', tagging('alice/keyless'), runner.environment);
  expect([tagged.ok, tagged.text]).toEqual([true, expect.stringContaining('tagged')]);
  expect((await run('python', tagging('alice/other'), runner.environment)).ok).toBe(false);
  await using fork = await startRunner('refs/pull/1/merge');
  const refused = await run('hf', ['auth', 'whoami'], fork.environment);
  expect([refused.ok, refused.text]).toEqual([
    false,
    expect.stringContaining('No trusted publisher of this resource has such a token'),
  ]);
});

test('a job of another service passes its token to each of its commands', async () => {
  const environment = { HF_OIDC_ID_TOKEN: await jobToken(world.hubUrl) };
  for (const args of [
    ['auth', 'whoami'],
    ['auth', 'whoami'],
  ])
    expect((await run('hf', args, environment)).ok).toBe(true);
  const elsewhere = { HF_OIDC_ID_TOKEN: await jobToken('https://huggingface.co') };
  expect((await run('hf', ['auth', 'whoami'], elsewhere)).ok).toBe(false);
});
