import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type OpenTestDatabase, openTestDatabase } from '../../../test/open-test-database.ts';
import { engine } from '../../../test/test-database.ts';
import { PLANNED_ANEW } from './named-statements.ts';
import { unawaited } from './postgres/unawaited.ts';
import { prepared } from './prepared.ts';
import { afterCommit, type Database, type Executor } from './transaction.ts';

let opened: OpenTestDatabase;
let database: Database;
beforeEach(async () => {
  opened = await openTestDatabase();
  database = opened.database;
});
afterEach(() => opened[Symbol.asyncDispose]());

const put = async (tx: Executor, name: string) => {
  await tx.insertInto('settings').values({ name, value: '1' }).execute();
};
/** Inserts a row whose result nobody waits for. */
const putUnawaited = async (tx: Executor, name: string) => {
  await tx.insertInto('settings').values({ name, value: '1' }).modifyEnd(unawaited).execute();
};
const putAlone = (name: string) => database.transaction((tx) => put(tx, name));
const names = async (): Promise<string[]> =>
  (await database.read.selectFrom('settings').select('name').orderBy('name').execute()).map(({ name }) => name);
/** A promise that resolves at a call. */
function promiseWithResolve() {
  let resolve = () => {};
  const promise = new Promise<void>((resolved) => {
    resolve = resolved;
  });
  return { promise, resolve };
}
const failing = (code: string) => Object.assign(new Error(`failed with ${code}`), { code });

describe('a transaction', () => {
  test('returns what its work returns, and keeps what its work wrote', async () => {
    const answer = await database.transaction(async (tx) => {
      await put(tx, 'one');
      await put(tx, 'two');
      return 42;
    });
    expect(answer).toBe(42);
    expect(await names()).toEqual(['one', 'two']);
  });

  test('that fails keeps nothing, and throws what its work threw', async () => {
    const failure = new Error('no');
    await expect(
      database.transaction(async (tx) => {
        await put(tx, 'one');
        throw failure;
      }),
    ).rejects.toBe(failure);
    expect(await names()).toEqual([]);
  });

  test('that violates a constraint keeps nothing', async () => {
    await expect(
      database.transaction(async (tx) => {
        await put(tx, 'one');
        await put(tx, 'one');
      }),
    ).rejects.toThrow();
    expect(await names()).toEqual([]);
    await putAlone('one');
    expect(await names()).toEqual(['one']);
  });

  test('keeps statements that nobody waited for, in their order', async () => {
    const seen = await database.transaction(async (tx) => {
      for (let at = 10; at < 40; at++) await putUnawaited(tx, `name ${at}`);
      const rows = await tx.selectFrom('settings').select('name').orderBy('name').execute();
      await putUnawaited(tx, 'the last');
      return rows.length;
    });
    expect(seen).toBe(30);
    expect(await names()).toHaveLength(31);
  });

  test.each([
    ['at the next statement', (tx: Executor) => put(tx, 'two')],
    ['at the commit', async () => {}],
  ])('that violates a constraint where nobody waited fails at the latest %s, and keeps nothing', async (_, then) => {
    await expect(
      database.transaction(async (tx) => {
        await putUnawaited(tx, 'one');
        await putUnawaited(tx, 'one');
        await then(tx);
      }),
    ).rejects.toThrow(/unique/i);
    expect(await names()).toEqual([]);
    await putAlone('one');
    expect(await names()).toEqual(['one']);
  });

  test('that fails before its first statement, or has none, leaves its connection as it was', async () => {
    const failure = new Error('no');
    for (let at = 0; at < 12; at++) {
      await database.transaction(async () => {});
      await expect(database.transaction(() => Promise.reject(failure))).rejects.toBe(failure);
    }
    await putAlone('one');
    expect(await names()).toContain('one');
  });

  test('is not seen by readers before its commit, and they do not wait for it', async () => {
    const another = opened.again();
    const seen = await database.transaction(async (tx) => {
      await put(tx, 'one');
      return Promise.all([database, another].map(({ read }) => read.selectFrom('settings').selectAll().execute()));
    });
    expect(seen).toEqual([[], []]);
    expect(await names()).toEqual(['one']);
    expect(await another.read.selectFrom('settings').selectAll().execute()).toHaveLength(1);
  });

  test('is kept if many others run at once', async () => {
    await putAlone('counter');
    await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        database.transaction(async (tx) => {
          await put(tx, `at ${at}`);
        }),
      ),
    );
    expect(await names()).toHaveLength(21);
  });

  test('that fails beside concurrent ones undoes only itself', async () => {
    const effects: string[] = [];
    const work = (name: string, fails: boolean) =>
      database.transaction(async (tx) => {
        await put(tx, name);
        afterCommit(tx, () => effects.push(name));
        if (fails) throw new Error(`${name} fails`);
        return name;
      });
    const results = await Promise.allSettled([work('a', false), work('b', true), work('c', false)]);
    expect(results.map((result) => (result.status === 'fulfilled' ? result.value : result.reason.message))).toEqual([
      'a',
      'b fails',
      'c',
    ]);
    expect(await names()).toEqual(['a', 'c']);
    expect(effects.sort()).toEqual(['a', 'c']);
  });

  test('that violates a constraint beside a concurrent one undoes only itself', async () => {
    const work = (name: string) =>
      database.transaction(async (tx) => {
        await put(tx, `${name} first`);
        await put(tx, 'shared');
      });
    const results = await Promise.allSettled([work('a'), work('b')]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await names()).toHaveLength(2);
  });

  test.runIf(engine === 'postgres')('whose connection breaks fails, and the next one gets a new one', async () => {
    const broken = database.transaction(async (tx) => {
      await put(tx, 'lost');
      await sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx);
    });
    await expect(broken).rejects.toThrow();
    await putAlone('kept');
    expect(await names()).toEqual(['kept']);
  });

  test.runIf(engine === 'postgres')('has no query compiled, however much PostgreSQL expects of it', async () => {
    const setting = sql<{ jit: string }>`select current_setting('jit') as jit`;
    expect((await setting.execute(database.read)).rows).toEqual([{ jit: 'off' }]);
    expect((await database.transaction((tx) => setting.execute(tx))).rows).toEqual([{ jit: 'off' }]);
  });

  test.runIf(engine === 'sqlite')('that fills the disk keeps nothing of its group and says why', async () => {
    await database.transaction((tx) => sql`pragma max_page_count = 150`.execute(tx));
    const big = (name: string) =>
      database.transaction(async (tx) => {
        for (let at = 0; at < 200; at++)
          await tx
            .insertInto('settings')
            .values({ name: `${name} ${at}`, value: 'x'.repeat(3000) })
            .execute();
      });
    await expect(big('alone')).rejects.toThrow(/full/);
    const together = await Promise.allSettled([putAlone('a'), big('b'), putAlone('c')]);
    for (const result of together)
      expect(result).toMatchObject({ status: 'rejected', reason: { code: 'SQLITE_FULL' } });
    expect(await names()).toEqual([]);
    await putAlone('d');
    expect(await names()).toEqual(['d']);
  });

  test.runIf(engine === 'postgres')(
    'prepares statements, however long if their text never changes, but not one for each length of a list and none that is planned anew',
    async () => {
      const long = sql.raw(`/* ${'long '.repeat(1000)} */`);
      const readValue = prepared<{ name: string }>()((executor, argument) =>
        executor.selectFrom('settings').select('value').where('name', '=', argument('name')).modifyEnd(long),
      );
      const named = await database.transaction(async (tx) => {
        const count = async () => {
          const { rows } = await sql<{ count: number }>`select count(*) from pg_prepared_statements`.execute(tx);
          return rows[0]?.count ?? 0;
        };
        const before = await count();
        for (let length = 1; length <= 40; length++) {
          const list = Array.from({ length }, (_, at) => `${at}`);
          await tx.selectFrom('settings').select('value').where('name', 'in', list).execute();
        }
        for (const name of ['a', 'b'])
          await sql`${sql.raw(PLANNED_ANEW)} select value from settings where name = ${name}`.execute(tx);
        for (const name of ['a', 'b']) await readValue(tx, { name });
        return (await count()) - before;
      });
      expect(named).toBe(5);
    },
  );

  test.runIf(engine === 'postgres')('and a read alone work after another process has added a column', async () => {
    const all = () => database.transaction((tx) => tx.selectFrom('settings').selectAll().execute());
    const readAlone = () => database.read.selectFrom('settings').selectAll().execute();
    await putAlone('one');
    const row = { name: 'one', value: '1' };
    for (const read of [all, readAlone]) {
      for (let times = 0; times < 20; times++) await Promise.all([read(), read()]);
      const column = sql.ref(`of_${read.name}`);
      await opened.again().transaction((tx) => sql`alter table settings add column ${column} text`.execute(tx));
      Object.assign(row, { [`of_${read.name}`]: null });
      expect(await Promise.all([read(), read(), read()])).toEqual([[row], [row], [row]]);
    }
  });

  test.runIf(engine === 'postgres')(
    'may lock tables as a migration does: a read alone that it meets waits for it',
    async () => {
      await putAlone('one');
      const another = opened.again();
      let reading: Promise<unknown> | undefined;
      await another.transaction(async (tx) => {
        // The read finds the deadlock, and not this transaction.
        await sql`set local deadlock_timeout = '1min'`.execute(tx);
        await sql`lock table settings in access exclusive mode`.execute(tx);
        reading = sql`select name from events right join settings on true`.execute(database.read);
        const waiting = sql<{ count: number }>`select count(*) as count from pg_locks where not granted
        and relation = 'settings'::regclass
        and database = (select oid from pg_database where datname = current_database())`;
        while ((await waiting.execute(tx)).rows[0]?.count !== 1) await pause(5);
        await sql`lock table events in access exclusive mode`.execute(tx);
      });
      expect(await reading).toMatchObject({ rows: [{ name: 'one' }] });
    },
  );

  test.runIf(engine === 'postgres').each([
    ['at its end', async () => {}],
    ['before another that nobody waits for', (tx: Executor) => putUnawaited(tx, 'last')],
  ])('that loses a deadlock where nobody waited, %s, is run again as a whole', async (_, then) => {
    const setValue = (tx: Executor, name: string, value: string) =>
      sql`with v (name, value) as (values (${name}, ${value})) update settings set value = v.value from v
        where settings.name = v.name ${unawaited}`.execute(tx);
    await putAlone('one');
    await putAlone('two');
    const holdsTwo = promiseWithResolve();
    const holdsOne = promiseWithResolve();
    const winner = opened.again().transaction(async (tx) => {
      await sql`set local deadlock_timeout = '1min'`.execute(tx);
      await sql`select value from settings where name = 'two' for update`.execute(tx);
      holdsTwo.resolve();
      await holdsOne.promise;
      await sql`select value from settings where name = 'one' for update`.execute(tx);
    });
    await holdsTwo.promise;
    let tries = 0;
    await database.transaction(async (tx) => {
      tries += 1;
      await sql`set local deadlock_timeout = '10ms'`.execute(tx);
      await sql`update settings set value = 'mine' where name = 'one'`.execute(tx);
      holdsOne.resolve();
      await setValue(tx, 'two', 'mine');
      await then(tx);
    });
    await winner;
    expect(tries).toBeGreaterThan(1);
    const values = await sql<{ value: string }>`select value from settings where name in ('one', 'two')`.execute(
      database.read,
    );
    expect(values.rows).toEqual([{ value: 'mine' }, { value: 'mine' }]);
  });

  test.runIf(engine === 'postgres')(
    'whose failed statement its work ignores is not reported as committed',
    async () => {
      const ignoring = database.transaction(async (tx) => {
        await put(tx, 'one');
        await put(tx, 'one').catch(() => {});
      });
      await expect(ignoring).rejects.toThrow('PostgreSQL has undone the transaction');
      await putAlone('one');
      expect(await names()).toEqual(['one']);
    },
  );

  test.runIf(engine === 'postgres')('begins even if the server has forgotten the prepared statements', async () => {
    await putAlone('one');
    await sql`deallocate all`.execute(database.read);
    const failure = new Error('no');
    const undone = database.transaction(async (tx) => {
      await sql`insert into settings (name, value) values ('two', '1')`.execute(tx);
      throw failure;
    });
    await expect(undone).rejects.toBe(failure);
    const { rows } = await sql<{ name: string }>`select settings.name from settings`.execute(database.read);
    expect(rows).toEqual([{ name: 'one' }]);
  });

  test.runIf(engine === 'postgres')('after a query without a response finds a connection that works', async () => {
    const hasty = opened.again({ queryTimeoutMs: 300 });
    const sleeping = sql`select pg_sleep(20)`;
    const timedOut = Array.from({ length: 10 }, () => sleeping.execute(hasty.read));
    const waiting = Array.from({ length: 10 }, () => sql`select 1 as found`.execute(hasty.read));
    for (const result of await Promise.allSettled(timedOut)) expect(result.status).toBe('rejected');
    for (const result of await Promise.all(waiting)) expect(result.rows).toEqual([{ found: 1 }]);
  });

  test.each(['40001', '40P01'])('that conflicts with another (%s) is run again', async (code) => {
    let tries = 0;
    await database.transaction(async (tx) => {
      tries += 1;
      await put(tx, `try ${tries}`);
      if (tries < 3) throw failing(code);
    });
    expect(tries).toBe(3);
    expect(await names()).toEqual(['try 3']);
  });

  test('is run at most five times, and only once if it fails for another reason', async () => {
    let tries = 0;
    const run = (code: string) => {
      tries = 0;
      return database.transaction(async () => {
        tries += 1;
        throw failing(code);
      });
    };
    await expect(run('40001')).rejects.toThrow('failed with 40001');
    expect(tries).toBe(5);
    await expect(run('23505')).rejects.toThrow('failed with 23505');
    expect(tries).toBe(1);
  });
});

describe('an effect after the commit', () => {
  test('runs once the change is durable, after the effects that were added before it', async () => {
    const ran: string[] = [];
    await database.transaction(async (tx) => {
      afterCommit(tx, () => ran.push('first'));
      await put(tx, 'one');
      afterCommit(tx, () => ran.push('second'));
      expect(ran).toEqual([]);
    });
    expect(ran).toEqual(['first', 'second']);
  });

  test('finds the change committed', async () => {
    let seen: Promise<string[]> = Promise.resolve([]);
    await database.transaction(async (tx) => {
      await put(tx, 'one');
      afterCommit(tx, () => {
        seen = names();
      });
    });
    expect(await seen).toEqual(['one']);
  });

  test('does not run if the transaction is rolled back', async () => {
    const ran: string[] = [];
    await expect(
      database.transaction(async (tx) => {
        afterCommit(tx, () => ran.push('never'));
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect(ran).toEqual([]);
  });

  test('runs only for the try that succeeds', async () => {
    const ran: number[] = [];
    let tries = 0;
    await database.transaction(async (tx) => {
      tries += 1;
      const mine = tries;
      afterCommit(tx, () => ran.push(mine));
      if (tries < 3) throw failing('40001');
    });
    expect(ran).toEqual([3]);
  });

  test('needs an open transaction', () => {
    // @ts-expect-error A reader has no commit.
    expect(() => afterCommit(database.read, () => {})).toThrow('needs an open transaction');
  });
});
