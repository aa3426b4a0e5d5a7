import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { whoAmI } from '@moonbase/client/profiles';
import { createRepo } from '@moonbase/client/repositories';
import { createScheduledJob } from '@moonbase/client/scheduled-jobs';
import { createWebhook, testWebhook } from '@moonbase/client/webhooks';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';
import { createSecretBox, opens } from '../src/platform/secrets.ts';
import { type Rotation, rotateSecrets } from '../src/rotate-secrets.ts';
import { ADMIN, type BackupFixture, createBackupFixture, KINDS, startAt } from './backup-fixture.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { unsubscribeToken } from './unsubscribe-token.ts';

const FIRST = 'the first key, which is long enough to be taken';
const SECOND = 'the second key, which is long enough to be taken';
/** The webhooks exceed one step of the rotation. */
const WEBHOOKS = 230;

let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver[Symbol.asyncDispose]());

/** Starts a hub on the database of a fixture with other settings. */
const startWith = (fixture: BackupFixture, settings: Readonly<Record<string, string>>) =>
  startAt({ ...fixture, config: configWith(fixture, settings) });
const configWith = (fixture: BackupFixture, settings: Readonly<Record<string, string>>) =>
  readConfig({
    ...fixture.environment,
    MOONBASE_MAX_WEBHOOKS: '1000',
    MOONBASE_JOBS_RUNNER: 'process',
    ...settings,
  });
type Started = Awaited<ReturnType<typeof startAt>>;

const BOTH = { MOONBASE_SECRET_KEY: SECOND, MOONBASE_SECRET_KEY_OLD: FIRST };

/** Creates webhooks and a scheduled job with secrets; returns the ids of the first and the last webhook. */
async function fill(hub: Started): Promise<string[]> {
  const admin = hub.as(ADMIN);
  await createRepo({ ...admin, type: 'model', repo: 'admin/bert' });
  const ids: string[] = [];
  for (let at = 0; at < WEBHOOKS; at++) ids.push(await hook(hub, `secret ${at}`));
  const jobSpec = {
    dockerImage: 'python',
    command: ['true'],
    flavor: 'cpu-basic' as const,
    secrets: { TOKEN: 'hush' },
  };
  await createScheduledJob({ ...admin, namespace: 'admin', jobSpec, schedule: '@yearly' });
  return [ids[0] ?? '', ids.at(-1) ?? ''];
}

async function hook(hub: Started, secret: string): Promise<string> {
  const { webhook } = await createWebhook({
    ...hub.as(ADMIN),
    webhook: { url: receiver.url, secret, watched: [{ type: 'model', name: 'admin/bert' }], domains: ['repo'] },
  });
  return webhook.id;
}

/** Returns the secret in a delivery of a webhook. */
async function secretOf(hub: Started, webhookId: string): Promise<unknown> {
  expect(await testWebhook({ ...hub.as(ADMIN), webhookId })).toMatchObject({ status: 200 });
  return receiver.received.at(-1)?.headers['x-webhook-secret'];
}

const secretsOf = async (hub: Started, ids: readonly string[]) =>
  [await secretOf(hub, ids[0] ?? ''), await secretOf(hub, ids[1] ?? '')] as const;

/** Returns the answer to a mailed link that was signed with the first key. */
async function oldLink(hub: Started): Promise<number> {
  const admin = hub.as(ADMIN);
  const { id } = await whoAmI(admin);
  const answer = await fetch(`${admin.hubUrl}/unsubscribe/${unsubscribeToken(id, 'discussions_watched', FIRST)}`);
  return answer.status;
}

const placed =
  (table: string, column: string) =>
  ({ id, sealed }: { id: string; sealed: string | null }) => ({ sealed, at: { table, column, id } });

/** Returns every sealed value that a key opens, by the names of its columns. */
async function openedBy(fixture: BackupFixture, key: string): Promise<Record<string, number>> {
  const database = fixture.open();
  const box = createSecretBox(key);
  const { read } = database;
  const columns = {
    webhooks: (await read.selectFrom('webhooks').select(['id', 'secret as sealed']).execute()).map(
      placed('webhooks', 'secret'),
    ),
    scheduled: (await read.selectFrom('scheduled_jobs').select(['id', 'secrets as sealed']).execute()).map(
      placed('scheduled_jobs', 'secrets'),
    ),
    settings: (await read.selectFrom('settings').select(['name as id', 'value as sealed']).execute()).map(
      placed('settings', 'value'),
    ),
  };
  await database[Symbol.asyncDispose]();
  return Object.fromEntries(
    Object.entries(columns).map(([name, all]) => [
      name,
      all.filter(({ sealed, at }) => sealed && opens(box, sealed, at)).length,
    ]),
  );
}

/** Ends a rotation between two of its transactions, as a kill does. */
async function interrupted(config: Parameters<typeof rotateSecrets>[0]): Promise<void> {
  const killed = rotateSecrets(config, ({ rows }) => {
    if (rows === 200) throw new Error('killed');
  });
  await expect(killed).rejects.toThrow('killed');
}

describe.each(KINDS)('secrets at rest (%s)', (kind) => {
  test('are moved to a new key while hubs that have both keys deliver with the same secrets', async () => {
    await using fixture = await createBackupFixture(kind, { MOONBASE_SECRET_KEY: FIRST });
    const first = await startWith(fixture, {});
    const ids = await fill(first);
    await first[Symbol.asyncDispose]();
    expect(await openedBy(fixture, FIRST)).toEqual({ webhooks: WEBHOOKS, scheduled: 1, settings: 1 });

    const before = await startWith(fixture, BOTH);
    expect(await secretsOf(before, ids)).toEqual(['secret 0', `secret ${WEBHOOKS - 1}`]);
    ids[1] = await hook(before, 'made meanwhile');
    expect(await oldLink(before)).toBe(200);
    // On SQLite a running hub locks the folder.
    if (kind === 'sqlite') await before[Symbol.asyncDispose]();
    await interrupted(configWith(fixture, BOTH));
    const half = await openedBy(fixture, FIRST);
    // The webhook that was created in the meantime needs no move, and may be among the first 200.
    expect([WEBHOOKS - 200, WEBHOOKS - 199]).toContain(half.webhooks);
    const during = kind === 'sqlite' ? await startWith(fixture, BOTH) : before;
    expect(await secretsOf(during, ids)).toEqual(['secret 0', 'made meanwhile']);
    if (kind === 'sqlite') await during[Symbol.asyncDispose]();

    for (const alone of [FIRST, SECOND])
      await expect(startWith(fixture, { MOONBASE_SECRET_KEY: alone })).rejects.toThrow(
        /secret key is not the one|moved/,
      );
    const moved: Rotation = await rotateSecrets(configWith(fixture, BOTH));
    expect(moved).toEqual({ moved: Number(half.webhooks) + 1, key: 'environment' });
    if (kind === 'postgres') {
      expect(await secretsOf(before, ids)).toEqual(['secret 0', 'made meanwhile']);
      await before[Symbol.asyncDispose]();
    }

    expect(await openedBy(fixture, FIRST)).toEqual({ webhooks: 0, scheduled: 0, settings: 0 });
    await expect(startWith(fixture, { MOONBASE_SECRET_KEY: FIRST })).rejects.toThrow(/secret key is not the one/);
    await using after = await startWith(fixture, { MOONBASE_SECRET_KEY: SECOND });
    expect(await secretsOf(after, ids)).toEqual(['secret 0', 'made meanwhile']);
    expect(await oldLink(after)).toBe(200);
  });

  test('are moved again, to a third key', async () => {
    await using fixture = await createBackupFixture(kind, { MOONBASE_SECRET_KEY: FIRST });
    const first = await startWith(fixture, {});
    await createRepo({ ...first.as(ADMIN), type: 'model', repo: 'admin/bert' });
    const id = await hook(first, 'hush');
    await first[Symbol.asyncDispose]();
    const third = 'the third key, which is long enough to be taken';
    await rotateSecrets(configWith(fixture, BOTH));
    await rotateSecrets(configWith(fixture, { MOONBASE_SECRET_KEY: third, MOONBASE_SECRET_KEY_OLD: SECOND }));
    await using hub = await startWith(fixture, { MOONBASE_SECRET_KEY: third });
    expect(await secretOf(hub, id)).toBe('hush');
    expect(await oldLink(hub)).toBe(200);
  });

  test.each([
    ['without the previous key', { MOONBASE_SECRET_KEY: SECOND }, /MOONBASE_SECRET_KEY_OLD to the one before/],
    ['with a wrong previous key', { ...BOTH, MOONBASE_SECRET_KEY_OLD: `not ${FIRST}` }, /is not the one/],
  ])('stay as they are %s', async (_name, settings, message) => {
    await using fixture = await createBackupFixture(kind, { MOONBASE_SECRET_KEY: FIRST });
    await (await startWith(fixture, {}))[Symbol.asyncDispose]();
    await expect(rotateSecrets(configWith(fixture, settings))).rejects.toThrow(message);
    await using hub = await startWith(fixture, {});
    expect(await whoAmI(hub.as(ADMIN))).toMatchObject({ name: 'admin' });
  });
});

describe('the key file of a data folder', () => {
  test('is exchanged once everything is moved, and the hub finds both before', async () => {
    await using fixture = await createBackupFixture('sqlite', { MOONBASE_SECRET_KEY: '' });
    const file = (name: string) => join(fixture.config.dataDir, name);
    const first = await startWith(fixture, {});
    const ids = await fill(first);
    const old = readFileSync(file('secret.key'), 'utf8');
    await expect(rotateSecrets(fixture.config)).rejects.toThrow(/is in use by another Moonbase process/);
    expect(existsSync(file('secret.key.next'))).toBe(false);
    await first[Symbol.asyncDispose]();

    await interrupted(fixture.config);
    expect(readFileSync(file('secret.key'), 'utf8')).toBe(old);
    const during = await startWith(fixture, {});
    expect(await secretsOf(during, ids)).toEqual(['secret 0', `secret ${WEBHOOKS - 1}`]);
    await during[Symbol.asyncDispose]();

    expect(await rotateSecrets(fixture.config)).toEqual({ moved: WEBHOOKS - 200 + 1, key: 'file' });
    expect(existsSync(file('secret.key.next'))).toBe(false);
    expect(readFileSync(file('secret.key'), 'utf8')).not.toBe(old);
    expect(readFileSync(file('secret.key.old'), 'utf8')).toBe(old);
    expect((statSync(file('secret.key')).mode & 0o777).toString(8)).toBe('600');
    expect(await openedBy(fixture, old)).toEqual({ webhooks: 0, scheduled: 0, settings: 0 });
    await using after = await startWith(fixture, {});
    expect(await secretsOf(after, ids)).toEqual(['secret 0', `secret ${WEBHOOKS - 1}`]);
  });
});
