import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { listenFault, storageFault } from '../src/config/starting/start-faults.ts';
import { readConfig } from '../src/config.ts';
import { createHub } from '../src/hub.ts';
import { HEAP_OPTION } from '../src/serve.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'moonbase-test-'));
  onTestFinished(() => rm(folder, { recursive: true }));
});

/** Starts a hub that should not start; returns what it says. */
async function refusalOf(environment: Readonly<Record<string, string>>): Promise<string> {
  const config = readConfig({ MOONBASE_PORT: '0', ...environment });
  try {
    const hub = await createHub(config, { logger: pino({ level: 'silent' }) });
    await hub.stop();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return 'it started';
}

/** Returns a port at which nothing listens. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe('a hub that cannot use its data folder names the setting and the remedy', () => {
  test('when the folder is a file', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    expect(await refusalOf({ MOONBASE_DATA_DIR: file })).toBe(
      `MOONBASE_DATA_DIR: ${file} is not a folder; name another one.`,
    );
    expect(await refusalOf({ MOONBASE_DATA_DIR: join(file, 'data') })).toContain('is not a folder');
  });

  test('when the database is something else', async () => {
    await writeFile(join(folder, 'moonbase.db'), 'a letter to a friend, '.repeat(100));
    expect(await refusalOf({ MOONBASE_DATA_DIR: folder })).toBe(
      `MOONBASE_DATA_DIR: moonbase.db in ${folder} is damaged or not a database; restore a backup, or name another folder.`,
    );
  });
});

describe('a hub whose PostgreSQL cannot be used', () => {
  const withUrl = (url: string, seconds = '0') => ({
    MOONBASE_DATA_DIR: folder,
    MOONBASE_DATABASE_URL: url,
    MOONBASE_DATABASE_WAIT_SECONDS: seconds,
    MOONBASE_SECRET_KEY: 'a key for tests, long enough to be taken',
  });

  test('says so after the time that it waits, without the password', async () => {
    const port = await freePort();
    const began = performance.now();
    expect(await refusalOf(withUrl(`postgres://hub:a-password@127.0.0.1:${port}/hub`, '1'))).toBe(
      `MOONBASE_DATABASE_URL: PostgreSQL at 127.0.0.1:${port} cannot be used: nothing listens there; ` +
        'start PostgreSQL, or correct host and port (waited 1 s: MOONBASE_DATABASE_WAIT_SECONDS).',
    );
    expect(performance.now() - began).toBeGreaterThan(900);
  });

  test('says so when something else listens there', async () => {
    const server = createServer((socket) => socket.end('220 mail.example ESMTP\r\n'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    expect(await refusalOf(withUrl(`postgres://hub:a-password@127.0.0.1:${port}/hub`))).toMatch(
      /^MOONBASE_DATABASE_URL: PostgreSQL at 127\.0\.0\.1:\d+ cannot be used: .*is it a server of PostgreSQL/,
    );
  });
});

/** Creates an error as drivers and the system throw them. */
const failed = (code: string, cause?: string): Error =>
  Object.assign(new Error('failed', cause === undefined ? {} : { cause: failed(cause) }), { code });

test.each([
  ['EACCES', 'MOONBASE_DATA_DIR: this user may not write to /data; give it the folder (chown), or name another one.'],
  ['ENOENT', 'MOONBASE_DATA_DIR: the folder /data cannot be made there; name another one.'],
  ['ENOSPC', 'MOONBASE_DATA_DIR: the disk of /data is full; make room.'],
  ['SQLITE_READONLY_DBMOVED', /^MOONBASE_DATA_DIR: \/data cannot be written to; mount its file system for writing/],
  ['SQLITE_CANTOPEN', /^MOONBASE_DATA_DIR: the database in \/data cannot be opened/],
])('%s of the data folder has a sentence', (code, sentence) => {
  const fault = storageFault(failed(code), { dataDir: '/data', databaseUrl: undefined, databaseWaitSeconds: 60 });
  expect(fault).toMatchObject({ message: typeof sentence === 'string' ? sentence : expect.stringMatching(sentence) });
});

test.each([
  ['28P01', undefined, 'the password of the user hub is wrong.'],
  ['28000', undefined, 'the user hub may not connect; look at pg_hba.conf, and at sslmode.'],
  ['3D000', undefined, 'there is no database models; make it with createdb.'],
  ['42501', undefined, 'the user hub may not make tables; make it the owner of the database.'],
  ['53300', undefined, /^it has no free connections; raise max_connections \(waited 60 s/],
  ['57P03', undefined, /^it is starting or stopping, and has not become ready \(waited 60 s/],
  ['08006', 'ENOTFOUND', /^the name of its host is not known; correct it \(waited 60 s/],
  ['08006', 'EHOSTUNREACH', /^its host does not answer; .* \(waited 60 s/],
  ['08006', 'DEPTH_ZERO_SELF_SIGNED_CERT', /^its certificate is not trusted; .*NODE_EXTRA_CA_CERTS\.$/],
])('%s of PostgreSQL (%s) has a sentence', (code, cause, sentence) => {
  const fault = storageFault(failed(code, cause), {
    ...{ dataDir: '/data', databaseWaitSeconds: 60 },
    databaseUrl: 'postgres://hub:a-password@db:5432/models',
  });
  const before = 'MOONBASE_DATABASE_URL: PostgreSQL at db:5432 cannot be used: ';
  const message = fault instanceof Error ? fault.message : '';
  expect(message.slice(0, before.length)).toBe(before);
  expect(message.slice(before.length)).toMatch(sentence);
  expect(message).not.toContain('a-password');
});

test.each([
  ['EADDRINUSE', /^MOONBASE_PORT: port 80 of example is in use; /],
  ['EACCES', /^MOONBASE_PORT: this user may not listen on port 80; /],
  ['EADDRNOTAVAIL', /^MOONBASE_HOST: this machine has no address example; /],
  ['ENOTFOUND', /^MOONBASE_HOST: this machine has no address example; /],
])('%s when the hub begins to listen has a sentence', (code, sentence) => {
  expect(listenFault(failed(code), { host: 'example', port: 80 })).toMatchObject({
    message: expect.stringMatching(sentence),
  });
});

test('other errors stay as they are', () => {
  const error = new TypeError('a fault of the program');
  expect(listenFault(error, { host: 'example', port: 80 })).toBe(error);
  for (const databaseUrl of [undefined, 'postgres://hub@db/models'])
    expect(storageFault(error, { dataDir: '/data', databaseUrl, databaseWaitSeconds: 60 })).toBe(error);
});

test('Node.js knows the option that limits the growth of the heap', async () => {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [HEAP_OPTION, '--print', '1']);
  expect({ stdout, stderr }).toEqual({ stdout: '1\n', stderr: '' });
});
