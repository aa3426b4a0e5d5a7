import { whoAmI } from '@moonbase/client/profiles';
import { createRepo, moveRepo, updateRepoSettings } from '@moonbase/client/repositories';
import {
  getMcpSettings,
  getNotificationSettings,
  type NotificationChange,
  updateMcpSettings,
  updateNotificationSettings,
} from '@moonbase/client/settings';
import { NOTIFICATION_KEYS } from '@moonbase/contract/accounts/settings';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { ask } from './ask.ts';
import { startHub, type TestHub } from './harness.ts';

let hub: TestHub;
beforeEach(async () => {
  hub = await startHub();
  onTestFinished(() => hub[Symbol.asyncDispose]());
  await hub.people('alice', 'bob');
});

const changeSettings = (notifications: NotificationChange, prepaidAmount?: string) =>
  updateNotificationSettings({
    ...hub.as('alice'),
    notifications,
    ...(prepaidAmount !== undefined && { prepaidAmount }),
  });
const settings = (user = 'alice') => getNotificationSettings(hub.as(user));

describe('notification settings', () => {
  test('are on by default, except announcements of future launches', async () => {
    const off = NOTIFICATION_KEYS.filter((key) => key.startsWith('launch_'));
    expect(off).toHaveLength(4);
    expect(await settings()).toEqual({
      notifications: Object.fromEntries(NOTIFICATION_KEYS.map((key) => [key, !off.includes(key)])),
    });
  });

  test.each(NOTIFICATION_KEYS)('store %s, on and off, without affecting others', async (key) => {
    const { notifications: before } = await settings();
    for (const value of [false, true, false]) {
      expect(await changeSettings({ [key]: value }, '1')).toEqual({ success: true });
      expect((await settings()).notifications).toEqual({ ...before, [key]: value });
    }
    expect((await settings('bob')).notifications).toEqual(before);
  });

  test('change only in the given keys', async () => {
    await changeSettings({ discussions_watched: false, product_updates_after: '2026-01-31T12:00:00Z' });
    await changeSettings({ web_posts_participating: false });
    await changeSettings({});
    await changeSettings({ discussions_watched: true, locked_out: false });
    expect((await settings()).notifications).toMatchObject({
      discussions_watched: true,
      web_posts_participating: false,
      locked_out: false,
      product_updates_after: '2026-01-31T12:00:00Z',
    });
  });

  test('keep both of two concurrent changes', async () => {
    await Promise.all(NOTIFICATION_KEYS.map((key) => changeSettings({ [key]: key.startsWith('launch_') }, '5')));
    const { notifications } = await settings();
    for (const key of NOTIFICATION_KEYS) expect([key, notifications[key]]).toEqual([key, key.startsWith('launch_')]);
  });

  test.each<[string, unknown, string]>([
    ['no settings', {}, 'body.notifications'],
    ['null for settings', { notifications: null }, 'body.notifications'],
    ['a list for settings', { notifications: [] }, 'body.notifications'],
    ['a text for a flag', { notifications: { locked_out: 'true' } }, 'body.notifications.locked_out'],
    ['a number for a flag', { notifications: { announcements: 1 } }, 'body.notifications.announcements'],
    ['null for a flag', { notifications: { user_follows: null } }, 'body.notifications.user_follows'],
    ...(
      [
        true,
        null,
        '',
        '2026-01-31',
        '2026-01-31T12:00Z',
        '2026-01-31T12:00:00',
        '2026-01-31T12:00:00+02:00',
        '2026-02-30T12:00:00Z',
        '2026-01-31T24:00:00Z',
        1769860800000,
      ] as const
    ).map((value): [string, unknown, string] => [
      `the time ${JSON.stringify(value)}`,
      { notifications: { product_updates_after: value } },
      'body.notifications.product_updates_after',
    ]),
    ['an amount that is a number', { notifications: {}, prepaidAmount: 5 }, 'body.prepaidAmount'],
    ['an amount of 25 characters', { notifications: {}, prepaidAmount: '1'.repeat(25) }, 'body.prepaidAmount'],
  ])('refuse %s', async (_, body, path) => {
    const before = await settings();
    const answer = await ask(hub.as('alice'), 'PATCH /api/settings/notifications', body);
    expect([answer.status, await answer.json()]).toMatchObject([400, { issues: [{ path }] }]);
    expect(await settings()).toEqual(before);
  });

  test.each(['2024-02-29T00:00:00Z', '2026-01-31T12:00:00.5Z', '2026-01-31T12:00:00.123456Z'])(
    'accept the time %s and return it unchanged',
    async (time) => {
      await changeSettings({ product_updates_after: time });
      expect((await settings()).notifications.product_updates_after).toBe(time);
    },
  );

  test('ignore unknown keys', async () => {
    const before = await settings();
    const body = { notifications: { telegrams: true, Locked_Out: false }, unknown: 1 };
    expect((await ask(hub.as('alice'), 'PATCH /api/settings/notifications', body)).status).toBe(200);
    expect(await settings()).toEqual(before);
  });
});

describe('prepaid credits', () => {
  test.each(['25.00', '9'.repeat(24), '', ' ', '-5', '1e3', '5,00', '$5', '٥'])(
    'are requested with the amount %j',
    async (amount) => {
      await changeSettings({ launch_prepaid_credits: true }, amount);
      expect(await settings()).toMatchObject({
        notifications: { launch_prepaid_credits: true },
        prepaidAmount: amount,
      });
    },
  );

  test.each([undefined, '1'.repeat(25)])('are not requested with the amount %j', async (amount) => {
    await expect(changeSettings({ launch_prepaid_credits: true, announcements: false }, amount)).rejects.toMatchObject({
      status: 400,
      issues: [{ path: 'body.prepaidAmount' }],
    });
    expect((await settings()).notifications).toMatchObject({ launch_prepaid_credits: false, announcements: true });
  });

  test('keep their amount until it is changed or the setting is turned off', async () => {
    await changeSettings({ launch_prepaid_credits: true }, '10');
    await changeSettings({ announcements: false }, '99');
    expect((await settings()).prepaidAmount).toBe('10');
    await expect(changeSettings({ launch_prepaid_credits: true })).rejects.toMatchObject({ status: 400 });
    await changeSettings({ launch_prepaid_credits: true }, '20');
    expect((await settings()).prepaidAmount).toBe('20');
    await changeSettings({ launch_prepaid_credits: false }, '30');
    expect(await settings()).not.toHaveProperty('prepaidAmount');
    await changeSettings({}, 'anything');
    expect(await settings()).not.toHaveProperty('prepaidAmount');
  });
});

describe('MCP tools', () => {
  const update = (given: Omit<Parameters<typeof updateMcpSettings>[0], keyof TestHub['admin']>, user = 'alice') =>
    updateMcpSettings({ ...hub.as(user), ...given });
  const space = (name: string, isPrivate = false) =>
    createRepo({ ...hub.as('alice'), type: 'space', sdk: 'static', repo: name, private: isPrivate });

  test('are the default ones if none were chosen', async () => {
    expect(await getMcpSettings(hub.as('alice'))).toEqual({
      builtInTools: ['hub_repo_search', 'hub_repo_details', 'hf_fs'],
      spaceTools: [],
    });
  });

  test('are the chosen ones, known or not, without duplicates; the list may be empty', async () => {
    const chosen = { builtInTools: ['hf_jobs', 'NO_GRADIO_IMAGE_CONTENT', 'of_tomorrow'], spaceTools: [] };
    expect(await update({ builtInTools: [...chosen.builtInTools, 'hf_jobs'] })).toEqual(chosen);
    expect(await getMcpSettings(hub.as('alice'))).toEqual(chosen);
    expect(await update({})).toEqual(chosen);
    expect(await update({ builtInTools: [] })).toEqual({ builtInTools: [], spaceTools: [] });
    expect((await getMcpSettings(hub.as('bob'))).builtInTools).toHaveLength(3);
  });

  test('may be Spaces, by name or id, as responses contain them', async () => {
    await space('alice/Draw.it');
    await space('alice/sing');
    const answer = await update({ spaceTools: [{ name: 'ALICE/draw.it', emoji: '🎨' }, { name: 'alice/sing' }] });
    const ID = expect.stringMatching(/^[0-9a-f]{24}$/);
    expect(answer).toEqual({
      builtInTools: ['hub_repo_search', 'hub_repo_details', 'hf_fs'],
      spaceTools: [
        { _id: ID, name: 'alice/Draw.it', emoji: '🎨', subdomain: 'alice-draw-it' },
        { _id: ID, name: 'alice/sing', emoji: '🚀', subdomain: 'alice-sing' },
      ],
    });
    const [draw, sing] = answer.spaceTools;
    const swapped = [sing, { ...draw, name: 'forgotten/since' }, { name: 'alice/sing' }].map((tool) => ({ ...tool }));
    expect((await update({ spaceTools: swapped })).spaceTools.map(({ name }) => name)).toEqual([
      'alice/sing',
      'alice/Draw.it',
    ]);
    expect(await getMcpSettings(hub.as('alice'))).toMatchObject({ spaceTools: [sing, draw] });
  });

  test('that are Spaces follow renames, and are shown only if visible', async () => {
    await space('alice/draw');
    await update({ spaceTools: [{ name: 'alice/draw' }] }, 'bob');
    await moveRepo({ ...hub.as('alice'), type: 'space', from: 'alice/draw', to: 'alice/paint' });
    const seen = async () => (await getMcpSettings(hub.as('bob'))).spaceTools.map(({ name }) => name);
    expect(await seen()).toEqual(['alice/paint']);
    const paint = { ...hub.as('alice'), type: 'space' as const, repo: 'alice/paint' };
    await updateRepoSettings({ ...paint, settings: { private: true } });
    expect(await seen()).toEqual([]);
    await updateRepoSettings({ ...paint, settings: { private: false } });
    expect(await seen()).toEqual(['alice/paint']);
  });

  test.each([
    ['a Space of an unknown owner', { name: 'alice/nothing' }],
    ['a private Space', { name: 'alice/secret' }],
    ['a model', { name: 'alice/letters' }],
    ['an id that does not exist', { _id: '0'.repeat(24) }],
    ['a malformed id', { _id: 'x', name: 'alice/draw' }],
  ])('cannot be %s, and then nothing changes', async (_, tool) => {
    await space('alice/draw');
    await space('alice/secret', true);
    await createRepo({ ...hub.as('alice'), repo: 'alice/letters' });
    const given = { builtInTools: [], spaceTools: [{ name: 'alice/draw' }, tool] };
    await expect(update(given, 'bob')).rejects.toMatchObject({
      status: 404,
      message: 'There is no Space that you may see behind body.spaceTools.1; nothing changed',
    });
    expect((await getMcpSettings(hub.as('bob'))).builtInTools).toHaveLength(3);
  });

  test('may be a private Space for its owner, with a token that reads it', async () => {
    await space('alice/secret', true);
    await update({ spaceTools: [{ name: 'alice/secret' }] });
    const { id } = await whoAmI(hub.as('alice'));
    const toolsWith = async (permission: string) => {
      const token = 'hf_fineGrained00';
      const scopes = { scoped: [{ entity: { _id: id, type: 'user' }, permissions: [permission] }] };
      await hub.apply({ users: [{ name: 'alice', tokens: [{ name: 'fine', role: 'fineGrained', token, scopes }] }] });
      return (await getMcpSettings(hub.with(token))).spaceTools.length;
    };
    expect([await toolsWith('user.settings.write'), await toolsWith('repo.content.read')]).toEqual([0, 1]);
  });

  test.each<[unknown, string]>([
    [{ builtInTools: 'hf_fs' }, 'body.builtInTools'],
    [{ builtInTools: [''] }, 'body.builtInTools.0'],
    [{ builtInTools: ['x'.repeat(101)] }, 'body.builtInTools.0'],
    [{ builtInTools: Array.from({ length: 101 }, (_, at) => `tool-${at}`) }, 'body.builtInTools'],
    [{ builtInTools: [null] }, 'body.builtInTools.0'],
    [{ spaceTools: {} }, 'body.spaceTools'],
    [{ spaceTools: ['alice/draw'] }, 'body.spaceTools.0'],
    [{ spaceTools: [{ emoji: '🎨' }] }, 'body.spaceTools.0'],
    [{ spaceTools: [{ name: 'alice/draw', emoji: '' }] }, 'body.spaceTools.0.emoji'],
  ])('are not %j', async (body, path) => {
    const answer = await ask(hub.as('alice'), 'PATCH /api/settings/mcp', body);
    expect([answer.status, await answer.json()]).toMatchObject([400, { issues: [{ path }] }]);
  });
});
