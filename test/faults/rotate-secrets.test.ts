import { createRepo } from '@moonbase/client/repositories';
import { createWebhook, testWebhook } from '@moonbase/client/webhooks';
import { expect, test } from 'vitest';
import { ADMIN, createBackupFixture } from '../../packages/server/test/backup-fixture.ts';
import { startReceiver } from '../../packages/server/test/receiver.ts';
import { engine } from '../../packages/server/test/test-database.ts';
import { startHubProcess } from '../hub-process.ts';
import { moonbase, startMoonbase } from '../moonbase-process.ts';
import { pause, seeded } from './pace.ts';

const FIRST = 'the first key, which is long enough to be taken';
const SECOND = 'the second key, which is long enough to be taken';
const WEBHOOKS = 400;
const KILLS = 5;

test(`a rotation that is killed repeatedly ends with every secret under the new key (${engine})`, async () => {
  const random = seeded(38);
  await using receiver = await startReceiver();
  await using fixture = await createBackupFixture(engine, {
    MOONBASE_SECRET_KEY: FIRST,
    MOONBASE_MAX_WEBHOOKS: `${WEBHOOKS}`,
  });
  const both = { ...fixture.environment, MOONBASE_SECRET_KEY: SECOND, MOONBASE_SECRET_KEY_OLD: FIRST };
  const first = await startHubProcess(fixture.environment);
  const admin = (hub: { url: string }) => ({ hubUrl: hub.url, accessToken: ADMIN });
  await createRepo({ ...admin(first), type: 'model', repo: 'admin/bert' });
  const watched = [{ type: 'model', name: 'admin/bert' }] as const;
  const ids: string[] = [];
  for (let at = 0; at < WEBHOOKS; at++) {
    const webhook = { url: receiver.url, secret: `secret ${at}`, watched: [...watched], domains: ['repo' as const] };
    ids.push((await createWebhook({ ...admin(first), webhook })).webhook.id);
  }
  await first.stop();

  /** Returns the secret that a hub sends with a delivery of the webhook at an index. */
  const secretAt = async (hub: { url: string }, at: number) => {
    await testWebhook({ ...admin(hub), webhookId: ids[at] ?? '' });
    return receiver.received.at(-1)?.headers['x-webhook-secret'];
  };
  const check = async (settings: Readonly<Record<string, string>>) => {
    const hub = await startHubProcess(settings);
    for (const at of [0, WEBHOOKS / 2, WEBHOOKS - 1]) expect(await secretAt(hub, at)).toBe(`secret ${at}`);
    expect(await hub.stop()).toBe(0);
  };
  let killed = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const command = startMoonbase(['secrets', 'rotate'], both);
    await pause(300 + 400 * random());
    command.child.kill('SIGKILL');
    if ((await command.ended).status === null) killed++;
    await check(both);
  }
  console.log(`killed ${killed} of ${KILLS} (${engine})`);
  expect(await moonbase(['secrets', 'rotate'], both)).toMatch(/^Moved [\d,]+ secrets to the new key\. /);
  expect(await moonbase(['secrets', 'rotate'], both)).toMatch(/^Moved 0 secrets/);
  await check({ ...fixture.environment, MOONBASE_SECRET_KEY: SECOND });
  await expect(startHubProcess(fixture.environment)).rejects.toThrow(/is not the one that this database was made with/);
});
