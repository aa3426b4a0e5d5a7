import { fileURLToPath } from 'node:url';
import { createContext, Script } from 'node:vm';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { keptLog, payloadOf, signed } from './messages.ts';

const entry = (file: string) => fileURLToPath(new URL(`../src/${file}`, import.meta.url));

/** What every Web runtime has (WinterTC's minimum), as far as it is used; nothing of Node.js. */
const WEB_GLOBALS = { Request, Response, URL, crypto, TextEncoder, TextDecoder, atob, btoa, setTimeout, clearTimeout };

test('the core and the Web adapter run where there is nothing but Web interfaces', async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: `export { createReceiver } from './index.ts'; export { createWebHandler } from './web.ts';`,
      resolveDir: entry('.'),
    },
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'library',
    platform: 'browser',
  });
  const log = keptLog();
  const context = createContext({ ...WEB_GLOBALS, console: log });
  new Script(outputFiles[0]!.text).runInContext(context);
  const handle = new Script(`
    const receiver = library.createReceiver({ secret: 'hush' });
    receiver.addWebhook(function hook({ repo }) { return { heard: repo.name }; });
    library.createWebHandler(receiver);
  `).runInContext(context) as (request: Request) => Promise<Response>;
  const body = JSON.stringify(payloadOf('repo.update'));
  const deliver = (headers: Record<string, string>) =>
    handle(new Request('https://worker.example/webhooks/hook', { method: 'POST', headers, body }));

  const response = await deliver(signed(body));
  expect([response.status, await response.json()]).toEqual([200, { heard: 'acme/bert' }]);
  expect((await deliver(signed(`${body} `))).status).toBe(403);
  expect((await deliver({ 'x-webhook-secret': 'hush' })).status).toBe(200);
  expect((await deliver({})).status).toBe(401);
  expect(log.lines).toEqual(['Webhook secret is correctly defined.']);
});

test('the whole library is at most 12 kB when minified', async () => {
  const { outputFiles, metafile } = await build({
    entryPoints: ['index.ts', 'node.ts', 'web.ts', 'fastify.ts'].map(entry),
    bundle: true,
    splitting: true,
    minify: true,
    metafile: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    external: ['node:*'],
    outdir: 'out',
  });
  expect(outputFiles.reduce((sum, { contents }) => sum + contents.length, 0)).toBeLessThanOrEqual(12_000);
  const imported = Object.values(metafile.inputs).flatMap(({ imports }) => imports.map(({ path }) => path));
  expect(imported.filter((path) => !path.includes('/src/')).sort()).toEqual(['node:crypto', 'node:http']);
});
