import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createRepo } from '@moonbase/client/repositories';
import { getVersion } from '@moonbase/client/service';
import { createWebhook } from '@moonbase/client/webhooks';
import { expect, onTestFinished, test } from 'vitest';
import { VERSION } from '../../packages/server/src/platform/version.ts';
import { moonbase } from '../moonbase-process.ts';
import { ADMIN } from './logged-hub.ts';
import { freePort } from './proxies.ts';

const run = promisify(execFile);
/** The image to look at; its engine may need options, as in `podman --root /somewhere`. */
const image = process.env.MOONBASE_TEST_IMAGE;
const [engine = 'podman', ...options] = (process.env.MOONBASE_TEST_PODMAN ?? 'podman').split(' ');
if (image === undefined) console.warn('The image is not looked at: MOONBASE_TEST_IMAGE names none');

const podman = async (...args: string[]): Promise<string> => (await run(engine, [...options, ...args])).stdout.trim();

test.skipIf(image === undefined)(
  'the image serves on a read-only root without rights, stops cleanly and keeps what it has',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'moonbase-image-'));
    const name = `moonbase-image-${process.pid}`;
    onTestFinished(async () => {
      await podman('rm', '--force', '--volumes', name);
      await podman('volume', 'rm', '--force', name);
      await rm(folder, { recursive: true });
    });
    const port = await freePort();
    const hubUrl = `http://127.0.0.1:${port}`;
    const settings = Object.entries({
      MOONBASE_HOST: '127.0.0.1',
      MOONBASE_PORT: port,
      MOONBASE_PUBLIC_URL: hubUrl,
      MOONBASE_ADMIN_TOKEN: ADMIN,
    }).flatMap(([key, value]) => ['--env', `${key}=${value}`]);
    const limits = [
      '--init',
      '--read-only',
      '--tmpfs',
      '/tmp',
      '--cap-drop',
      'all',
      '--security-opt',
      'no-new-privileges',
    ];
    await podman(
      'run',
      '--detach',
      '--name',
      name,
      '--network',
      'host',
      ...limits,
      '--volume',
      `${name}:/data`,
      ...settings,
      image ?? '',
    );
    const answers = () =>
      fetch(`${hubUrl}/ready`).then(
        ({ status }) => status,
        () => 0,
      );
    await expect.poll(answers).toBe(200);
    await podman('healthcheck', 'run', name);

    const admin = { hubUrl, accessToken: ADMIN };
    const env = { HOME: folder, MOONBASE_URL: hubUrl, MOONBASE_TOKEN: ADMIN };
    await createRepo({ ...admin, type: 'model', repo: 'admin/toy' });
    const watched = [{ type: 'user' as const, name: 'admin' }];
    await createWebhook({ ...admin, webhook: { url: 'https://receiver.example/hook', watched, domains: ['repo'] } });
    await writeFile(join(folder, 'weights.bin'), 'a few bytes');
    await moonbase(['upload', 'admin/toy', join(folder, 'weights.bin')], env);
    expect(await getVersion(admin)).toMatchObject({ version: VERSION });
    expect(await podman('exec', name, 'id', '-u')).toBe('10001');
    const bill = JSON.parse(await podman('exec', name, 'cat', '/app/moonbase.cdx.json')) as {
      components: { name: string }[];
    };
    expect(bill).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { version: VERSION } } });
    expect(bill.components.map((each) => each.name)).toContain('fastify');

    await podman('stop', '--time', '60', name);
    expect(await podman('inspect', '--format', '{{.State.ExitCode}}', name)).toBe('0');
    await podman('start', name);
    await expect.poll(answers).toBe(200);
    expect(await moonbase(['cat', 'admin/toy', 'weights.bin'], env)).toBe('a few bytes');
    expect(await moonbase(['webhooks', 'ls', '--json'], env)).toContain('receiver.example');
  },
);
