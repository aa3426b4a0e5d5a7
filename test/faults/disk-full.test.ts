import { join } from 'node:path';
import { listRefs } from '@moonbase/client/repositories';
import Libsql from 'libsql';
import { expect, test } from 'vitest';
import { engine } from '../../packages/server/test/test-database.ts';
import { startHubProcess } from '../hub-process.ts';
import { ACCESS_TOKEN, expectNothingLost, expectRefusals, prepareHub, startLoad, until } from './load.ts';
import { startSink } from './sink.ts';
import { mountSmallDisk } from './small-disk.ts';

const ROUNDS = 3;

test.runIf(engine === 'sqlite')(
  `while the data disk is full, ${ROUNDS} times, reads succeed; changes succeed once there is space`,
  async (context) => {
    await using disk = mountSmallDisk(48);
    if (!disk) return context.skip('This machine does not let the test mount a file system');
    await using sink = await startSink();
    const folder = join(disk.path, 'data');
    const hub = await startHubProcess({
      MOONBASE_DATA_DIR: folder,
      MOONBASE_ADMIN_TOKEN: ACCESS_TOKEN,
      MOONBASE_WEBHOOK_RETRY_SCHEDULE: '1,1,1,1,1',
      MOONBASE_LOG_LEVEL: 'silent',
    });
    try {
      await prepareHub(hub.url, sink.url);
      const load = startLoad(hub.url, 'full');
      try {
        for (let round = 0; round < ROUNDS; round++) {
          const { writes } = load.done;
          await until('changes are made', () => load.done.writes > writes + 20);
          disk.fill();
          const refused = load.refusals.length;
          await until('changes are refused', () => load.refusals.length > refused + 20);
          const { reads } = load.done;
          await until('reads go on', () => load.done.reads > reads + 10);
          expect((await fetch(`${hub.url}/health`)).status).toBe(200);
          disk.free();
        }
        const { writes } = load.done;
        const afterMs = await until('changes go on', () => load.done.writes > writes + 20);
        expect(afterMs).toBeLessThan(30_000);
      } finally {
        await load.stop();
      }
      expectRefusals(load.refusals);
      expect(load.refusals.map(({ error }) => error)).toContainEqual(expect.stringContaining('full'));
      await expectNothingLost(`the data disk full ${ROUNDS} times`, hub.url, { ...load, sink });
      const { branches } = await listRefs({
        hubUrl: hub.url,
        accessToken: ACCESS_TOKEN,
        type: 'model',
        repo: 'admin/bert',
      });
      // Refused changes leave no rows behind.
      expect(branches).toHaveLength(load.acknowledged.size + 1);
      expect(await hub.stop()).toBe(0);
      const database = new Libsql(join(folder, 'moonbase.db'));
      expect(database.prepare('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
      database.close();
    } finally {
      await hub.kill();
    }
  },
);
