import { expect, test } from 'vitest';
import { anyTopic } from '../../../test/any-form.ts';
import { createTestClock } from '../../../test/clock.ts';
import { openTestDatabase } from '../../../test/open-test-database.ts';
import { storeUserAndEvent, storeWebhook } from '../../../test/stored-deliveries.ts';
import { engine } from '../../../test/test-database.ts';
import { createEvents } from '../../platform/events/events.ts';
import { createIds } from '../../platform/ids.ts';
import { beginChange, changeWebhook, replaceWatched } from './history.ts';
import { lockWebhookById } from './store.ts';

test.runIf(engine === 'postgres')(
  'an event that is recorded during a change counts as before or after the whole change',
  async () => {
    await using opened = await openTestDatabase();
    const { database } = opened;
    const clock = createTestClock();
    const events = createEvents({ clock, ids: createIds(clock), nudge() {} });
    await storeUserAndEvent(database);
    await storeWebhook(database, 'w');
    await database.transaction((tx) =>
      replaceWatched(tx, 'w', [{ type: 'user', name: 'u' }], beginChange(tx, clock.now())),
    );
    await database.transaction(async (tx) => {
      const webhook = await lockWebhookById(tx, 'w');
      if (!webhook) throw new Error('There is no webhook');
      const change = beginChange(tx, clock.now());
      await changeWebhook(tx, webhook, { domains: '["repo"]' }, change);
      await opened.again().transaction((other) => events.record(other, anyTopic('repo'), {}));
      await replaceWatched(tx, 'w', [{ type: 'user', name: 'somebody' }], change);
    });
    const { since } = await database.read.selectFrom('webhooks').select('since').executeTakeFirstOrThrow();
    const watched = await database.read
      .selectFrom('webhook_watched')
      .select('since')
      .where('until', 'is', null)
      .execute();
    expect(watched).toEqual([{ since }]);
  },
);
