import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { afterAll, expect, test } from 'vitest';
import { createPasswordHashing, isOutdated } from './hashing.ts';

const hashing = createPasswordHashing();
afterAll(() => hashing.close());

test('a password matches its own hash in every form of Unicode and no other, and never a missing hash', async () => {
  const stored = await hashing.hash('caf\u00e9 au lait');
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(isOutdated(stored)).toBe(false);
  expect(await hashing.matches(stored, 'cafe\u0301 au lait')).toBe(true);
  expect(await hashing.matches(stored, 'cafe au lait')).toBe(false);
  expect(await hashing.matches(undefined, 'the password of nobody')).toBe(false);
});

/** Returns the priority of each thread of this process, which is the 19th field of its statistics (proc(5)). */
const priorities = () =>
  readdirSync('/proc/self/task').map((id) => {
    const afterName = readFileSync(`/proc/self/task/${id}/stat`, 'utf8').split(') ')[1] ?? '';
    return Number(afterName.split(' ')[16]);
  });

test.runIf(process.platform === 'linux')(
  'hashing yields to requests: only its threads have a lower priority',
  async () => {
    const before = getPriority();
    await hashing.hash('seven quiet herons');
    expect(getPriority()).toBe(before);
    expect(priorities().filter((priority) => priority > before).length).toBeGreaterThan(0);
  },
);

test('row 37: of too many callers, some are refused, and the others get their turn', async () => {
  const busy = createPasswordHashing(1);
  const asked = await Promise.allSettled(['a', 'b', 'c', 'd', 'e', 'f'].map((password) => busy.hash(password)));
  const refused = asked.flatMap((each) => (each.status === 'rejected' ? [each.reason as Error] : []));
  expect(refused.length).toBeGreaterThan(0);
  for (const { message } of refused) expect(message).toMatch(/^Too many people are signing in/);
  expect(asked.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(1);
  expect(await busy.hash('g')).toMatch(/^\$argon2id/);
  await busy.close();
});

test('a stored hash that cannot be read fails one caller and harms nobody else', async () => {
  await expect(hashing.matches('no hash', 'x')).rejects.toThrow('Too many people');
  expect(await hashing.matches(await hashing.hash('x'), 'x')).toBe(true);
});
