import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { moonbase, person, type RunningHub, startHub } from './hub.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'moonbase-cli-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const END = /\n\{"section":"end","items":\d+\}\n$/;

describe('moonbase users export', () => {
  let hub: RunningHub;
  beforeAll(async () => {
    hub = await startHub();
    await hub.apply({ users: [person('ada'), person('bob')] });
  });
  afterAll(() => hub[Symbol.asyncDispose]());

  test('writes a new file that only its owner may read, and overwrites none', async () => {
    const file = join(folder, 'ada.ndjson');
    expect(await hub.as('ada', ['users', 'export', '-o', file])).toEqual({ status: 0, out: '', err: '' });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(file, 'utf8')).toMatch(/^\{"section":"export","version":1,"user":"ada",/);
    await writeFile(file, 'mine');
    const again = await hub.as('ada', ['users', 'export', '-o', file]);
    expect([again.status, again.err]).toEqual([2, expect.stringContaining('ada.ndjson exists')]);
    expect(await readFile(file, 'utf8')).toBe('mine');
    const elsewhere = await hub.as('ada', ['users', 'export', '-o', join(folder, 'none', 'x')]);
    expect([elsewhere.status, elsewhere.err]).toEqual([2, expect.stringContaining('Cannot write')]);
  });

  test('prints the data of somebody else to a site administrator alone', async () => {
    const { status, out } = await hub.as('admin', ['users', 'export', 'bob']);
    expect([status, out]).toEqual([0, expect.stringMatching(END)]);
    expect(out).toContain('"user":"bob"');
    expect((await hub.as('ada', ['users', 'export', 'bob'])).status).toBe(3);
    expect((await hub.as('admin', ['users', 'export', 'nobody'])).status).toBe(4);
  });
});

test('an export without its last line fails, and leaves no file', async () => {
  const server = createServer((_, response) => {
    response
      .writeHead(200, { 'content-type': 'application/x-ndjson' })
      .end('{"section":"export"}\n{"section":"likes"}\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const env = { MOONBASE_URL: `http://127.0.0.1:${port}`, MOONBASE_TOKEN: 'hf_x', XDG_CONFIG_HOME: folder };
  const file = join(folder, 'broken.ndjson');
  const saved = await moonbase(['users', 'export', '-o', file], { env });
  const printed = await moonbase(['users', 'export'], { env });
  server.close();
  for (const { status, err } of [saved, printed])
    expect([status, err]).toEqual([1, expect.stringContaining('incomplete')]);
  expect((await readdir(folder)).filter((name) => name.startsWith('broken'))).toEqual([]);
});
