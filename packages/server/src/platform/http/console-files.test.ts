import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CONSOLE_PAGES } from '../../routes.ts';
import { addConsole } from './console-files.ts';
import { createDispatch } from './routing/dispatch.ts';

describe('the files of the console', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'moonbase-console-'));
    mkdirSync(join(folder, 'assets'));
    writeFileSync(
      join(folder, 'index.html'),
      '<meta nonce="__CSP_NONCE__"><script src="/assets/a.js" nonce="__CSP_NONCE__">',
    );
    writeFileSync(join(folder, 'assets/a.js'), 'run()');
    writeFileSync(join(folder, 'secret.txt'), 'secret');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const served = async (root: string) => {
    const app = Fastify();
    await addConsole(app, createDispatch(app), CONSOLE_PAGES, root);
    return app;
  };

  test('are one page at all addresses of the console, with another nonce each time', async () => {
    const app = await served(folder);
    const [first, second] = [await app.inject('/inbox'), await app.inject('/datasets/acme/letters/discussions/1')];
    const nonces = [first, second].map(
      ({ body }) => /^<meta nonce="([A-Za-z0-9+/=]{24})"><script src="\/assets\/a.js" nonce="\1">$/.exec(body)?.[1],
    );
    expect(new Set(nonces).size).toBe(2);
    expect(first.headers['content-security-policy']).toContain(`style-src 'self' 'nonce-${nonces[0]}'`);
    expect(first.headers['cache-control']).toBe('no-cache');
  });

  test('are served unchanged, and no other files are', async () => {
    const app = await served(folder);
    expect((await app.inject('/assets/a.js')).body).toBe('run()');
    for (const path of ['/assets/', '/assets/../secret.txt', '/assets/%2e%2e/secret.txt', '/secret.txt', '/acme/bert'])
      expect([path, (await app.inject(path)).statusCode]).toEqual([path, expect.toSatisfy((status) => status >= 400)]);
  });

  test('are answered with 404 if they were not built', async () => {
    const app = await served(join(folder, 'assets'));
    expect((await app.inject('/')).statusCode).toBe(404);
    expect((await app.inject('/assets/a.js')).statusCode).toBe(404);
  });
});
