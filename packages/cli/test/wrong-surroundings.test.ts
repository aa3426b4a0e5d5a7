import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHub } from '@moonbase/server';
import { readConfig } from '@moonbase/server/config';
import { expect, onTestFinished, test } from 'vitest';
import { moonbase } from './hub.ts';

/* What a hub says, in one sentence with setting and remedy, of a machine and of servers that it cannot use. */

const SECRET_KEY = 'a key for tests, long enough to be taken';

/** Listens on a free port of this machine until the test ends; returns the port. */
async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'moonbase-wrong-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

/** Returns what a hub with these settings says instead of starting. */
async function refusal(env: Readonly<Record<string, string>>): Promise<string> {
  const given = { MOONBASE_DATA_DIR: ':memory:', MOONBASE_PORT: '0', MOONBASE_LOG_LEVEL: 'silent', ...env };
  const { status, err } = await moonbase(['serve'], { env: given });
  expect(status).toBe(1);
  return err.trimEnd();
}

/** A message of the protocol of PostgreSQL: a letter, the length, and fields that end with a zero byte. */
function message(letter: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(letter), length, body]);
}

const int = (value: number, bytes: number): Buffer => Buffer.from(value.toString(16).padStart(2 * bytes, '0'), 'hex');
const READY = message('Z', Buffer.from('I'));

/** The answer to any query: one row with one text. */
const answerWith = (text: string): Buffer =>
  Buffer.concat([
    message(
      'T',
      Buffer.concat([int(1, 2), Buffer.from('version\0'), int(0, 6), int(25, 4), int(0, 2), int(0, 4), int(0, 2)]),
    ),
    message('D', Buffer.concat([int(1, 2), int(text.length, 4), Buffer.from(text)])),
    message('C', Buffer.from('SELECT 1\0')),
    READY,
  ]);

/** Returns the types of the messages that ask for an answer: simple queries, and the ends of prepared ones. */
function queriesIn(bytes: Buffer): string[] {
  const types: string[] = [];
  for (let at = 0; at < bytes.length; at += 1 + bytes.readInt32BE(at + 1))
    types.push(String.fromCharCode(bytes[at] ?? 0));
  return types.filter((type) => type === 'Q' || type === 'S');
}

/** A server of PostgreSQL that refuses every connection with a code, or answers every query with its version. */
function postgresThat(behaviour: { readonly refuses: string } | { readonly version: string }): Server {
  return createServer((socket) => {
    let isOpen = false;
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      if ('refuses' in behaviour)
        socket.end(message('E', Buffer.from(`SFATAL\0VFATAL\0C${behaviour.refuses}\0Mno\0\0`)));
      else if (isOpen) socket.write(Buffer.concat(queriesIn(bytes).map(() => answerWith(behaviour.version))));
      else socket.write(Buffer.concat([message('R', int(0, 4)), READY]));
      isOpen = true;
    });
  });
}

test.each([
  ['with another password', { refuses: '28P01' }, 'the password of the user ada is wrong.'],
  [
    'that does not let the user in',
    { refuses: '28000' },
    'the user ada may not connect; look at pg_hba.conf, and at sslmode.',
  ],
  ['without the database', { refuses: '3D000' }, 'there is no database models; make it with createdb.'],
  [
    'without free connections',
    { refuses: '53300' },
    'it has no free connections; raise max_connections (waited 0 s: MOONBASE_DATABASE_WAIT_SECONDS).',
  ],
] as const)('a PostgreSQL %s', async (_, behaviour, reason) => {
  const port = await listen(postgresThat(behaviour));
  const said = await refusal({
    ...{ MOONBASE_DATABASE_URL: `postgres://ada:hush@127.0.0.1:${port}/models`, MOONBASE_SECRET_KEY: SECRET_KEY },
    MOONBASE_DATABASE_WAIT_SECONDS: '0',
  });
  expect(said).toBe(`MOONBASE_DATABASE_URL: PostgreSQL at 127.0.0.1:${port} cannot be used: ${reason}`);
});

test('a PostgreSQL of a version before 15', async () => {
  const port = await listen(postgresThat({ version: '140009' }));
  const said = await refusal({
    ...{ MOONBASE_DATABASE_URL: `postgres://ada@127.0.0.1:${port}/models`, MOONBASE_SECRET_KEY: SECRET_KEY },
  });
  expect(said).toBe(
    `MOONBASE_DATABASE_URL: PostgreSQL at 127.0.0.1:${port} has version 14; name a server of version 15 or later.`,
  );
});

test('a certificate for PostgreSQL that is not there', async () => {
  const said = await refusal({
    MOONBASE_DATABASE_URL: 'postgres://ada@127.0.0.1:1/models?sslmode=verify-full&sslrootcert=/nowhere/ca.pem',
    ...{ MOONBASE_SECRET_KEY: SECRET_KEY, MOONBASE_DATABASE_WAIT_SECONDS: '0' },
  });
  expect(said).toMatch(
    /^MOONBASE_DATABASE_URL: PostgreSQL at 127\.0\.0\.1:1 cannot be used: a file or a socket that the URL names cannot be opened; correct its path, or its rights/,
  );
});

test('a port that is taken, and an address that this machine does not have', async () => {
  const port = await listen(createServer());
  expect(await refusal({ MOONBASE_PORT: String(port) })).toBe(
    `MOONBASE_PORT: port ${port} of 127.0.0.1 is in use; stop what uses it, or choose another (0 takes any free one).`,
  );
  expect(await refusal({ MOONBASE_HOST: '192.0.2.1' })).toBe(
    'MOONBASE_HOST: this machine has no address 192.0.2.1; choose one that it has, such as 127.0.0.1, or 0.0.0.0 for all.',
  );
});

test('a data folder that is a file, that another hub uses, and one with another key', async () => {
  const folder = await temporaryFolder();
  const file = join(folder, 'file');
  await writeFile(file, '');
  expect(await refusal({ MOONBASE_DATA_DIR: file })).toBe(
    `MOONBASE_DATA_DIR: ${file} is not a folder; name another one.`,
  );
  const environment = { MOONBASE_PORT: '0', MOONBASE_LOG_LEVEL: 'silent', MOONBASE_DATA_DIR: folder };
  const hub = await createHub(readConfig(environment));
  expect(await refusal(environment)).toBe(
    `The data folder ${folder} is in use by another Moonbase process. Stop that one, or choose another folder with MOONBASE_DATA_DIR.`,
  );
  await hub.stop();
  expect(await refusal({ ...environment, MOONBASE_SECRET_KEY: SECRET_KEY })).toBe(
    'The secret key is not the one that this database was made with. Set MOONBASE_SECRET_KEY to that one, or put its key file back into the data folder.',
  );
});

test('files that settings name', async () => {
  const folder = await temporaryFolder();
  const file = join(folder, 'file');
  await writeFile(file, 'no database');
  expect(await refusal({ MOONBASE_GEOIP_DATABASE: file })).toMatch(
    /^MOONBASE_GEOIP_DATABASE cannot be used as a MaxMind database: .*; name a file of cities or countries \(\.mmdb\), or remove the setting$/,
  );
  const docker = { MOONBASE_JOBS_RUNNER: 'docker', MOONBASE_JOB_IMAGES: '*', MOONBASE_DOCKER_URL: 'tcp://127.0.0.1:1' };
  const remedy = 'name a folder with ca.pem, cert.pem and key.pem, which this user may read.';
  expect(await refusal({ ...docker, MOONBASE_DOCKER_CERT_PATH: folder })).toBe(
    `MOONBASE_DOCKER_CERT_PATH: ${join(folder, 'ca.pem')} cannot be read (ENOENT); ${remedy}`,
  );
  for (const name of ['ca.pem', 'cert.pem', 'key.pem']) await writeFile(join(folder, name), 'no certificate');
  expect(await refusal({ ...docker, MOONBASE_DOCKER_CERT_PATH: folder })).toBe(
    `MOONBASE_DOCKER_CERT_PATH: the files in ${folder} are no certificates, or cert.pem and key.pem are no pair; ${remedy}`,
  );
  const kubernetes = { MOONBASE_JOBS_RUNNER: 'kubernetes' };
  expect(await refusal({ ...kubernetes, MOONBASE_KUBERNETES: '/nowhere.json' })).toBe(
    'The settings are wrong:\n  MOONBASE_KUBERNETES: /nowhere.json cannot be read: ENOENT; name a file that this user may read, or give the JSON itself',
  );
});

/** Returns what the log of a hub with these settings says of the services outside. */
async function outsideFaults(env: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const given = { MOONBASE_DATA_DIR: ':memory:', MOONBASE_PORT: '0', MOONBASE_LOG_LEVEL: 'silent', ...env };
  const hub = await createHub(readConfig(given));
  onTestFinished(() => hub.stop());
  return hub.outsideFaults();
}

test.each([
  ['InvalidAccessKeyId', 'MOONBASE_S3_ACCESS_KEY: the service does not know this key; correct it'],
  [
    'SignatureDoesNotMatch',
    'MOONBASE_S3_SECRET_KEY: it is not the secret of MOONBASE_S3_ACCESS_KEY; correct one of them',
  ],
  ['NoSuchBucket', 'MOONBASE_S3_BUCKET: there is no bucket models; make it, or name another one'],
  ['AuthorizationHeaderMalformed', 'MOONBASE_S3_REGION: the bucket is in another region; name that one'],
  ['NoSuchKey', undefined],
  ['AccessDenied', undefined],
])('a bucket that answers %s', async (code, sentence) => {
  const server = createHttpServer((_, response) => response.writeHead(403).end(`<Error><Code>${code}</Code></Error>`));
  const port = await listen(server);
  const faults = await outsideFaults({
    ...{ MOONBASE_S3_ENDPOINT: `http://127.0.0.1:${port}`, MOONBASE_S3_BUCKET: 'models' },
    ...{ MOONBASE_S3_ACCESS_KEY: 'key', MOONBASE_S3_SECRET_KEY: 'secret' },
  });
  expect(faults).toEqual(sentence === undefined ? [] : [sentence]);
});

test('a bucket and a provider at addresses at which nothing listens', async () => {
  const nowhere = 'http://127.0.0.1:1';
  const faults = await outsideFaults({
    ...{ MOONBASE_S3_ENDPOINT: nowhere, MOONBASE_S3_BUCKET: 'models' },
    ...{ MOONBASE_S3_ACCESS_KEY: 'key', MOONBASE_S3_SECRET_KEY: 'secret' },
    ...{ MOONBASE_OIDC_ISSUER: nowhere, MOONBASE_OIDC_CLIENT_ID: 'hub' },
  });
  expect(faults).toEqual([
    'MOONBASE_S3_ENDPOINT: the service at 127.0.0.1:1 cannot be used (ECONNREFUSED); correct the address, or start the service',
    expect.stringMatching(
      /^MOONBASE_OIDC_ISSUER: The discovery document of the issuer cannot be fetched: .*\. Correct the setting, or see that the provider runs\.$/,
    ),
  ]);
});
