import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { duplicateJob, getJob, runJob } from '@moonbase/client/jobs';
import { createScheduledJob, runScheduledJob } from '@moonbase/client/scheduled-jobs';
import {
  createWebhook,
  listDeliveries,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
} from '@moonbase/client/webhooks';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readConfig } from '../../packages/server/src/config.ts';
import type { Database } from '../../packages/server/src/platform/database/transaction.ts';
import { rotateSecrets } from '../../packages/server/src/rotate-secrets.ts';
import {
  ADMIN,
  type BackupFixture,
  backedUp,
  createBackupFixture,
  KINDS,
  restoreAt,
  SECRET_KEY,
  startAt,
} from '../../packages/server/test/backup-fixture.ts';
import { collect, person, startHub, type TestHub } from '../../packages/server/test/harness.ts';
import { type Receiver, startReceiver } from '../../packages/server/test/receiver.ts';
import { createTestRunner, type TestRunner } from '../../packages/server/test/test-runner.ts';

const ALICE = 'the secret of alice';
const MALLORY = 'the secret of mallory';

const change = (database: Database, statement: string) => database.transaction((tx) => sql.raw(statement).execute(tx));
/** Copies the value of a column from one row to another, as an attacker with write access to the database can. */
const copy = (database: Database, to: [table: string, column: string, id: string], from: [string, string, string]) =>
  change(
    database,
    `update ${to[0]} set ${to[1]} = (select source.${from[1]} from ${from[0]} as source where source.id = '${from[2]}')
     where id = '${to[2]}'`,
  );

let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver[Symbol.asyncDispose]());

describe('a sealed value that is copied within the database', () => {
  let hub: TestHub;
  let runner: TestRunner;
  beforeEach(async () => {
    runner = createTestRunner();
    hub = await startHub({ MOONBASE_WEBHOOK_RETRY_SCHEDULE: '1' }, { runner });
    await hub.apply({ users: ['alice', 'mallory'].map(person) });
  });
  afterEach(() => hub[Symbol.asyncDispose]());

  const webhookOf = async (
    user: string,
    target: { url?: string; job?: object; jobSourceId?: string; secret?: string },
  ) => {
    const webhook = { watched: [{ type: 'user', name: user }], domains: ['repo'], ...target };
    return (await createWebhook({ ...hub.as(user), webhook: webhook as never })).webhook.id;
  };
  const sendAs = (user: string, webhookId: string) => testWebhook({ ...hub.as(user), webhookId });
  const JOB = { dockerImage: 'python', command: ['true'], flavor: 'cpu-basic' as const };
  const run = async (user: string, secrets: Record<string, string>) =>
    (await runJob({ ...hub.as(user), namespace: user, job: { ...JOB, secrets } })).id;

  test('from one webhook to another is not sent, and no answer reveals it', async () => {
    const own = await webhookOf('mallory', { url: receiver.url, secret: MALLORY });
    const hers = await webhookOf('alice', { url: 'http://127.0.0.1:1/', secret: ALICE });
    // The hub keeps values that it opens often in memory; these open for no other row or column either.
    await sendAs('alice', hers);
    await copy(hub.database, ['webhooks', 'secret', own], ['webhooks', 'secret', hers]);

    expect(await sendAs('mallory', own)).toMatchObject({
      status: 0,
      error: expect.stringContaining('secret of this webhook'),
    });
    expect(receiver.received).toEqual([]);
    const [entry] = await collect(listDeliveries({ ...hub.as('mallory'), webhookId: own }));
    expect(entry).toMatchObject({ status: 'failed' });
    expect(JSON.stringify(entry)).not.toContain(ALICE);

    await rotateWebhookSecret({ ...hub.as('mallory'), webhookId: own, secret: 'another one' });
    expect(await sendAs('mallory', own)).toMatchObject({ status: 200 });
    expect(receiver.received.map(({ headers }) => headers['x-webhook-secret'])).toEqual(['another one']);
    // The unreadable secret does not sign beside the new one.
    expect(String(receiver.received[0]?.headers['webhook-signature']).split(' ')).toHaveLength(1);
  });

  test('from one column of a webhook to another does not open', async () => {
    const id = await webhookOf('alice', { url: receiver.url, secret: ALICE });
    await rotateWebhookSecret({ ...hub.as('alice'), webhookId: id, secret: 'the newer one' });
    await copy(hub.database, ['webhooks', 'secret', id], ['webhooks', 'old_secret', id]);
    expect(await sendAs('alice', id)).toMatchObject({ status: 0 });
    expect(receiver.received).toEqual([]);
  });

  test('from one job to another is not passed to the process', async () => {
    const hers = await run('alice', { KEY: ALICE });
    const own = await run('mallory', { KEY: MALLORY });
    await copy(hub.database, ['jobs', 'secrets', own], ['jobs', 'secrets', hers]);
    await hub.drain();
    expect(await getJob({ ...hub.as('mallory'), namespace: 'mallory', jobId: own })).toMatchObject({
      status: { stage: 'ERROR', message: expect.stringContaining('cannot be read') },
    });
    expect(runner.launched.map(({ environment }) => environment.KEY)).toEqual([ALICE]);
    await expect(duplicateJob({ ...hub.as('mallory'), namespace: 'mallory', jobId: own })).rejects.toMatchObject({
      status: 409,
    });
    await expect(webhookOf('mallory', { jobSourceId: own })).rejects.toMatchObject({ status: 409 });
  });

  test('from a job to a webhook or a scheduled job is not passed to the process', async () => {
    const hers = await run('alice', { KEY: ALICE });
    await hub.drain();
    const webhookId = await webhookOf('mallory', { job: { ...JOB, secrets: { KEY: MALLORY } } });
    await copy(hub.database, ['webhooks', 'job_secrets', webhookId], ['jobs', 'secrets', hers]);
    expect(await sendAs('mallory', webhookId)).toMatchObject({ status: 0 });

    const fixture = { ...hub.as('mallory'), namespace: 'mallory' };
    const jobSpec = { ...JOB, secrets: { KEY: MALLORY } };
    const { id } = await createScheduledJob({ ...fixture, jobSpec, schedule: '@hourly' });
    await copy(hub.database, ['scheduled_jobs', 'secrets', id], ['jobs', 'secrets', hers]);
    expect(await runScheduledJob({ ...fixture, jobId: id })).toMatchObject({ status: { stage: 'ERROR' } });
    // A schedule fails when it is due, and delays no other one.
    hub.clock.advance(2 * 60 * 60 * 1000);
    await hub.drain();
    expect(runner.launched.map(({ environment }) => environment.KEY)).toEqual([ALICE]);
  });

  test('is sealed anew if the hub itself copies it, from the source job of a webhook or in a rotation of a secret', async () => {
    const source = await run('alice', { KEY: ALICE });
    await hub.drain();
    const webhookId = await webhookOf('alice', { jobSourceId: source, secret: 'mum' });
    expect(await sendAs('alice', webhookId)).toMatchObject({ status: 200 });
    await updateWebhook({
      ...hub.as('alice'),
      webhookId,
      webhook: { job: JOB, watched: [{ type: 'user', name: 'alice' }], domains: ['repo'] },
    });
    expect(await sendAs('alice', webhookId)).toMatchObject({ status: 200 });
    await hub.drain();
    expect(runner.launched.map(({ environment }) => environment.KEY)).toEqual([ALICE, ALICE, ALICE]);

    const posted = await webhookOf('alice', { url: receiver.url, secret: 'old' });
    await rotateWebhookSecret({ ...hub.as('alice'), webhookId: posted, secret: 'new' });
    expect(await sendAs('alice', posted)).toMatchObject({ status: 200 });
    expect(String(receiver.received[0]?.headers['webhook-signature']).split(' ')).toHaveLength(2);
  });
});

/** Seals a value as earlier versions did, without binding it to a row and column. */
function sealedFormerly(text: string, key = SECRET_KEY): string {
  const nonce = randomBytes(12);
  const derived = Buffer.from(hkdfSync('sha256', key, '', 'moonbase secrets at rest', 32));
  const cipher = createCipheriv('aes-256-gcm', derived, nonce);
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64');
}

/** Creates two webhooks and leaves their database as an older version would; returns their ids. */
async function formerPlace(fixture: BackupFixture): Promise<[string, string]> {
  const ids: string[] = [];
  await using hub = await startAt(fixture);
  for (const secret of [ALICE, MALLORY]) {
    const webhook = {
      url: receiver.url,
      secret,
      watched: [{ type: 'user' as const, name: 'admin' }],
      domains: ['repo' as const],
    };
    const { id } = (await createWebhook({ ...hub.as(ADMIN), webhook })).webhook;
    await change(hub.database, `update webhooks set secret = '${sealedFormerly(secret)}' where id = '${id}'`);
    ids.push(id);
  }
  const check = sealedFormerly('secret-key-check');
  await change(hub.database, `update settings set value = '${check}' where name = 'secret-key-check'`);
  return ids as [string, string];
}

async function secretsSent(fixture: BackupFixture, ids: readonly string[]): Promise<unknown[]> {
  await using hub = await startAt(fixture);
  const sent = [];
  for (const webhookId of ids) {
    const { status } = await testWebhook({ ...hub.as(ADMIN), webhookId });
    sent.push(status === 200 ? receiver.received.at(-1)?.headers['x-webhook-secret'] : status);
  }
  return sent;
}

describe.each(KINDS)('a value that an older version sealed (%s)', (kind) => {
  test('is bound to its row and column at the start, after which unbound values are refused', async () => {
    await using fixture = await createBackupFixture(kind);
    const ids = await formerPlace(fixture);
    expect(await secretsSent(fixture, ids)).toEqual([ALICE, MALLORY]);
    {
      await using database = fixture.open();
      const rows = await database.read.selectFrom('webhooks').select('secret').execute();
      for (const { secret } of rows) expect(secret).toMatch(/^bound:/);
      // The value may come from an old backup, or from before the upgrade.
      await change(database, `update webhooks set secret = '${sealedFormerly(ALICE)}' where id = '${ids[1]}'`);
    }
    expect(await secretsSent(fixture, ids)).toEqual([ALICE, 0]);
    {
      await using database = fixture.open();
      await change(database, `delete from settings where name = 'secret-key-check'`);
    }
    expect(await secretsSent(fixture, ids)).toEqual([ALICE, 0]);
  });

  test('stays under its key, and a value that no key opens does not prevent the start', async () => {
    await using fixture = await createBackupFixture(kind);
    const ids = await formerPlace(fixture);
    {
      await using database = fixture.open();
      const foreign = sealedFormerly(ALICE, 'the key of some other hub, which is long too');
      await change(database, `update webhooks set secret = '${foreign}' where id = '${ids[1]}'`);
    }
    expect(await secretsSent(fixture, ids)).toEqual([ALICE, 0]);
  });

  test('is moved to another key by a rotation, and can return with an old backup', async () => {
    await using fixture = await createBackupFixture(kind);
    const ids = await formerPlace(fixture);
    const { file } = await backedUp(fixture);
    const next = 'another key for tests, long enough to be taken';
    const settings = { MOONBASE_SECRET_KEY: next, MOONBASE_SECRET_KEY_OLD: SECRET_KEY };
    expect(await rotateSecrets(readConfig({ ...fixture.environment, ...settings }))).toMatchObject({ moved: 2 });
    const rotated = { ...fixture, config: readConfig({ ...fixture.environment, MOONBASE_SECRET_KEY: next }) };
    expect(await secretsSent(rotated, ids)).toEqual([ALICE, MALLORY]);

    await using again = await createBackupFixture(kind);
    await restoreAt(again, file);
    expect(await secretsSent(again, ids)).toEqual([ALICE, MALLORY]);
  });
});
