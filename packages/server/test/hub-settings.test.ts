import { createAccessToken } from '@moonbase/client/access-tokens';
import { type HubSetting, listHubSettings } from '@moonbase/client/admin';
import { expect, test } from 'vitest';
import { Settings } from '../src/config/groups.ts';
import { listSettings } from '../src/config/setting.ts';
import { startHub } from './harness.ts';

const byName = async (hub: Parameters<typeof listHubSettings>[0]): Promise<ReadonlyMap<string, HubSetting>> =>
  new Map((await listHubSettings(hub)).map((each) => [each.name, each]));

test('the list has every declared setting, with its value, its default and a sentence', async () => {
  await using hub = await startHub({
    MOONBASE_WEBHOOK_LOG_DAYS: ' 2 ',
    MOONBASE_OUTBOUND_ALLOW: '10.0.0.0/8, ::1',
    MOONBASE_POTR: 'nothing that the hub knows',
  });
  const settings = await byName(hub.admin);
  expect([...settings.keys()].sort()).toEqual(
    listSettings(Settings)
      .map(({ name }) => name)
      .sort(),
  );
  expect(settings.get('MOONBASE_WEBHOOK_LOG_DAYS')).toEqual({
    ...{ name: 'MOONBASE_WEBHOOK_LOG_DAYS', group: 'Webhooks', isSet: true, isSecret: false, value: '2' },
    default: '`30`',
    about: 'Days for which the delivery log is kept; pending deliveries stay until they have ended.',
  });
  expect(settings.get('MOONBASE_OUTBOUND_ALLOW')).toMatchObject({ value: '10.0.0.0/8, ::1', default: 'none' });
  expect(settings.get('MOONBASE_ROLE')).toMatchObject({ isSet: false, value: 'all', default: '`all`' });
  expect(settings.get('MOONBASE_PUBLIC_URL')).toMatchObject({ value: null, default: 'the `Host` of each request' });
  expect(settings.get('MOONBASE_ANONYMOUS_READ')).toMatchObject({
    ...{ isSet: false, value: 'true', default: '`true` in development mode, `false` otherwise' },
    about: expect.stringMatching(/^Whether what is public can be read without an access token: .*\.$/),
  });
});

test('each setting is explained in one sentence without links', async () => {
  await using hub = await startHub();
  for (const { name, about, default: byDefault } of await listHubSettings(hub.admin)) {
    expect([name, about]).toEqual([name, expect.stringMatching(/^[`A-Z].{9,}\.$/)]);
    expect([name, about + byDefault]).toEqual([name, expect.not.stringMatching(/\]\(|\.md#/)]);
    expect([name, about.split('`').length % 2]).toEqual([name, 1]);
  }
});

test('of a secret, the list says whether it is set', async () => {
  await using hub = await startHub({
    MOONBASE_UPSTREAM_URL: 'https://hub.example',
    MOONBASE_UPSTREAM_TOKEN: 'hf_hush',
  });
  const settings = await byName(hub.admin);
  expect(settings.get('MOONBASE_UPSTREAM_TOKEN')).toMatchObject({ isSecret: true, isSet: true, value: null });
  expect(settings.get('MOONBASE_OIDC_CLIENT_SECRET')).toMatchObject({ isSecret: true, isSet: false, value: null });
  expect(settings.get('MOONBASE_SECRET_KEY')).toMatchObject({ isSecret: true, value: null, default: 'a key file' });
});

test('the list is for site administrators, also with a token that only reads', async () => {
  await using hub = await startHub();
  await hub.people('ada');
  await expect(listHubSettings(hub.as('ada'))).rejects.toMatchObject({ status: 403 });
  await expect(listHubSettings({ hubUrl: hub.url })).rejects.toMatchObject({ status: 401 });
  const { token } = await createAccessToken({ ...hub.admin, displayName: 'reads', role: 'read' });
  expect(await listHubSettings(hub.with(token))).toHaveLength(listSettings(Settings).length);
});
