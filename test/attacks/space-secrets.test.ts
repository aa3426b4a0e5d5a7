import { createAccessToken } from '@moonbase/client/access-tokens';
import { exportAuditLog } from '@moonbase/client/audit-log';
import { duplicateRepo } from '@moonbase/client/content';
import { revokeMemberTokenById } from '@moonbase/client/member-tokens';
import { createRepo, getRepo } from '@moonbase/client/repositories';
import { getSpaceRuntime, listSpaceSecrets, setSpaceSecret, setSpaceVolumes } from '@moonbase/client/spaces';
import { createWebhook } from '@moonbase/client/webhooks';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readConfig } from '../../packages/server/src/config.ts';
import { readCatalog } from '../../packages/server/src/platform/database/catalog.ts';
import type { Database } from '../../packages/server/src/platform/database/transaction.ts';
import { createSecretBox } from '../../packages/server/src/platform/secrets.ts';
import { rotateSecrets } from '../../packages/server/src/rotate-secrets.ts';
import { ask } from '../../packages/server/test/ask.ts';
import {
  ADMIN,
  backedUp,
  createBackupFixture,
  KINDS,
  restoreAt,
  SECRET_KEY,
  startAt,
} from '../../packages/server/test/backup-fixture.ts';
import { type Connection, person, startHub, type TestHub } from '../../packages/server/test/harness.ts';
import { keepingLogger } from '../../packages/server/test/logged-lines.ts';
import { type Receiver, startReceiver } from '../../packages/server/test/receiver.ts';

const SECRET = 'the-secret-of-the-space';

/** Returns every row of every table as text. */
async function everything(database: Database): Promise<string> {
  const rows = [];
  for (const table of (await readCatalog(database)).keys())
    rows.push((await sql`select * from ${sql.table(table)}`.execute(database.read)).rows);
  return JSON.stringify(rows);
}

describe('a secret of a Space', () => {
  let hub: TestHub;
  let receiver: Receiver;
  const { lines, logger } = keepingLogger('trace');
  beforeEach(async () => {
    receiver = await startReceiver();
    lines.length = 0;
    hub = await startHub({}, { logger });
    await hub.apply({
      users: ['ada', 'will', 'cora', 'rita', 'zoe'].map(person),
      organizations: [
        {
          name: 'acme',
          plan: 'enterprise',
          members: [
            { user: 'ada', role: 'admin' },
            { user: 'will', role: 'write' },
            { user: 'cora', role: 'contributor' },
            { user: 'rita', role: 'read' },
          ],
        },
      ],
    });
    for (const repo of ['acme/open', 'acme/closed'])
      await createRepo({
        ...{ ...hub.as('ada'), type: 'space', sdk: 'gradio', repo, private: repo === 'acme/closed' },
        variables: [{ key: 'SHOWN', value: 'a variable' }],
        secrets: [{ key: 'TOKEN', value: SECRET }],
      });
  });
  afterEach(async () => {
    await hub[Symbol.asyncDispose]();
    await receiver[Symbol.asyncDispose]();
  });

  const statuses = async (caller: Connection, repo: string) => {
    const at = `/api/spaces/${repo}`;
    const answers = [];
    for (const [request, body] of [
      [`GET ${at}/variables`],
      [`GET ${at}/secrets`],
      [`POST ${at}/secrets`, { key: 'TOKEN', value: SECRET }],
      [`POST ${at}/variables`, { key: 'SHOWN', value: 'a variable' }],
      [`DELETE ${at}/secrets`, { key: 'OTHER' }],
      [`PUT ${at}/volumes`, { volumes: [{ type: 'space', source: 'acme/open', mountPath: '/s' }] }],
    ] as const)
      answers.push((await ask(caller, request, body)).status);
    return answers;
  };
  const OK = [200, 200, 200, 200, 200, 200];
  const READS = [200, 403, 403, 403, 403, 403];
  const NOTHING = [404, 404, 404, 404, 404, 404];

  test('is listed and set by those who may write, and hidden Spaces look like missing ones', async () => {
    for (const [user, open, closed] of [
      ['ada', OK, OK],
      ['will', OK, OK],
      ['cora', READS, READS],
      ['rita', READS, READS],
      ['zoe', READS, NOTHING],
    ] as const) {
      expect([user, await statuses(hub.as(user), 'acme/open')]).toEqual([user, open]);
      expect([user, await statuses(hub.as(user), 'acme/closed')]).toEqual([user, closed]);
      expect([user, await statuses(hub.as(user), 'acme/missing')]).toEqual([user, NOTHING]);
    }
    const stranger = { hubUrl: hub.url };
    for (const repo of ['acme/open', 'acme/closed'])
      for (const kind of ['variables', 'secrets'])
        expect((await ask(stranger, `GET /api/spaces/${repo}/${kind}`)).status).toBe(401);
  });

  test('is out of reach of tokens that read, that are narrow, or that the organization revoked', async () => {
    const token = async (
      role: 'read' | 'write' | 'fineGrained',
      permissions: ('repo.write' | 'repo.content.read')[] = [],
      entity = '',
    ) => {
      const scoped = [{ entity: { _id: entity, type: 'space' as const, name: '' }, permissions }];
      const fineGrained = role === 'fineGrained' ? { fineGrained: { global: [], scoped } } : {};
      const { token: text, id } = await createAccessToken({
        ...{ ...hub.as('will'), displayName: `${role} ${permissions.join()} ${entity}`, role, ...fineGrained },
      });
      return { ...hub.with(text), id };
    };
    const info = await getRepo({ ...hub.as('ada'), type: 'space', repo: 'acme/open' });
    const id = '_id' in info ? info._id : '';
    expect(await statuses(await token('read'), 'acme/closed')).toEqual(READS);
    const reads = await token('fineGrained', ['repo.content.read'], id);
    expect(await statuses(reads, 'acme/open')).toEqual(READS);
    const writes = await token('fineGrained', ['repo.write'], id);
    expect(await statuses(writes, 'acme/open')).toEqual(OK);
    expect(await statuses(writes, 'acme/closed')).toEqual(NOTHING);
    const revoked = await token('write');
    await revokeMemberTokenById({ ...hub.as('ada'), name: 'acme', tokenId: revoked.id });
    expect(await statuses(revoked, 'acme/open')).toEqual([403, 403, 403, 403, 403, 403]);
  });

  test('is neither in a copy, nor in the database, the log, events, deliveries or the audit log', async () => {
    const webhook = {
      url: receiver.url,
      watched: [{ type: 'org' as const, name: 'acme' }],
      domains: ['repo' as const],
    };
    await createWebhook({ ...hub.as('ada'), webhook });
    const at = { ...hub.as('will'), repo: 'acme/open' };
    await setSpaceSecret({ ...at, key: 'LATER', value: SECRET, description: 'what for' });
    for (const value of [SECRET.repeat(1000), 7])
      await ask(at, 'POST /api/spaces/acme/open/secrets', { key: 'X', value });
    await ask(at, 'POST /api/spaces/acme/open/secrets', { key: SECRET, value: '' });
    await ask(at, 'POST /api/spaces/acme/open/secrets', `{"key": "X", "value": "${SECRET}`);
    await ask(at, 'POST /api/spaces/acme/open/variables', { key: 'LATER', value: SECRET });
    await ask(at, 'POST /api/repos/create', {
      name: 'acme/open',
      type: 'space',
      secrets: [{ key: 'A', value: SECRET }],
    });
    await duplicateRepo({ ...hub.as('zoe'), type: 'space', repo: 'acme/open', to: 'zoe/copy' });
    expect(await listSpaceSecrets({ ...hub.as('zoe'), repo: 'zoe/copy' })).toEqual({});
    await hub.drain();
    expect(receiver.received.length).toBeGreaterThan(0);
    expect(JSON.stringify(receiver.received)).not.toContain(SECRET);
    expect(await everything(hub.database)).not.toContain(SECRET);
    expect(JSON.stringify(await exportAuditLog({ ...hub.as('ada'), name: 'acme' }))).not.toContain(SECRET);
    expect(lines.join('')).not.toContain(SECRET);
  });

  test('opens at its place alone, and no answer but the statement of its key mentions it', async () => {
    const { read } = hub.database;
    const rows = await read.selectFrom('space_environment').selectAll().where('key', '=', 'TOKEN').execute();
    expect(rows.map(({ value }) => value)).toEqual([null, null]);
    const texts = [];
    for (const path of ['', '/runtime', '/variables', '/secrets', '/settings', '/refs', '/tree/main', '/auth-check'])
      texts.push(await (await ask(hub.as('ada'), `GET /api/spaces/acme/open${path}`)).text());
    for (const path of ['/api/spaces?full=true', '/api/organizations/acme/settings/repositories', '/api/admin/status'])
      texts.push(await (await ask(hub.admin, `GET ${path}`)).text());
    const all = texts.join('\n');
    expect(all).not.toContain(SECRET);
    for (const { sealed_value } of rows) expect(all).not.toContain(sealed_value);
  });
});

test('a volume tells of a private repository to nobody who may not read it, and no narrow token mounts one', async () => {
  await using hub = await startHub();
  await hub.people('ada', 'bob');
  const ada = hub.as('ada');
  await createRepo({ ...ada, type: 'space', sdk: 'gradio', repo: 'ada/app' });
  await createRepo({ ...ada, repo: 'ada/private', private: true });
  await createRepo({ ...ada, type: 'bucket', repo: 'ada/open' });
  const mount = { type: 'model', source: 'ada/private', mountPath: '/m' } as const;
  await setSpaceVolumes({ ...ada, repo: 'ada/app', volumes: [mount] });
  const app = await getRepo({ ...ada, type: 'space', repo: 'ada/app' });
  const scoped = [
    {
      entity: { _id: '_id' in app ? app._id : '', type: 'space' as const, name: '' },
      permissions: ['repo.write' as const, 'repo.content.read' as const],
    },
  ];
  const narrow = hub.with(
    (await createAccessToken({ ...ada, displayName: 'n', role: 'fineGrained', fineGrained: { global: [], scoped } }))
      .token,
  );
  const stranger = { hubUrl: hub.url };
  for (const caller of [narrow, hub.as('bob'), stranger])
    for (const path of ['', '/runtime']) {
      const answer = await ask(caller, `GET /api/spaces/ada/app${path}`);
      expect([answer.status, await answer.text()]).toEqual([200, expect.not.stringContaining('ada/private')]);
    }
  const put = async (caller: Connection, volume: object) => {
    const answer = await ask(caller, 'PUT /api/spaces/ada/app/volumes', { volumes: [{ ...mount, ...volume }] });
    return [answer.status, Object(await answer.json()).error];
  };
  const missing = await put(narrow, { source: 'ada/never' });
  expect(missing).toEqual([400, 'body.volumes.0.source: there is no model ada/never for you']);
  expect(await put(narrow, {})).toEqual([400, missing[1].replace('never', 'private')]);
  expect(await put(narrow, { type: 'bucket', source: 'ada/open' })).toEqual([
    400,
    expect.stringContaining('you may not write to this bucket'),
  ]);
  expect((await put(narrow, { type: 'bucket', source: 'ada/open', readOnly: true }))[0]).toBe(200);
  expect((await getSpaceRuntime({ ...ada, repo: 'ada/app' })).volumes.map(({ source }) => source)).toEqual([
    'ada/open',
  ]);
});

describe.each(KINDS)('secrets of Spaces at rest (%s)', (kind) => {
  const NEXT = 'another key, which is long enough to be taken';
  const sealedIn = async (database: Database) =>
    database.read
      .selectFrom('space_environment')
      .select(['id', 'sealed_value'])
      .where('key', '=', 'S')
      .executeTakeFirst();
  const opened = async (database: Database, key: string) => {
    const row = await sealedIn(database);
    const at = { table: 'space_environment', column: 'sealed_value', id: row?.id ?? '' };
    return createSecretBox(key).open(row?.sealed_value ?? '', at);
  };

  test('are in a backup as they are sealed, and move to a new key', async () => {
    await using fixture = await createBackupFixture(kind);
    await using other = await createBackupFixture(kind);
    const hub = await startAt(fixture);
    const secrets = [{ key: 'S', value: SECRET }];
    await createRepo({ ...hub.as(ADMIN), type: 'space', sdk: 'gradio', repo: 'admin/s', secrets });
    await hub[Symbol.asyncDispose]();
    const { file } = await backedUp(fixture);
    await restoreAt(other, file);
    {
      await using database = other.open();
      expect(await everything(database)).not.toContain(SECRET);
      expect(await opened(database, SECRET_KEY)).toBe(SECRET);
    }
    await rotateSecrets(
      readConfig({ ...other.environment, MOONBASE_SECRET_KEY: NEXT, MOONBASE_SECRET_KEY_OLD: SECRET_KEY }),
    );
    await using database = other.open();
    expect(await opened(database, NEXT)).toBe(SECRET);
    await expect(opened(database, SECRET_KEY)).rejects.toThrow();
  });
});
