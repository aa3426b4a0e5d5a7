import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createDeadlines } from './deadlines.ts';

const DEADLINE_MS = 1_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

function waitingRoom() {
  const expired: string[] = [];
  const deadlines = createDeadlines<{ name: string; expiresAt: number }>(({ name }) => expired.push(name));
  const add = (name: string) => {
    const item = { name, expiresAt: performance.now() + DEADLINE_MS };
    deadlines.add(item);
    return item;
  };
  return { deadlines, add, expired };
}

test('each item expires at its own time, with one timer for all', () => {
  const { add, expired } = waitingRoom();
  add('a');
  vi.advanceTimersByTime(300);
  add('b');
  add('c');
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(699);
  expect(expired).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(expired).toEqual(['a']);
  vi.advanceTimersByTime(299);
  expect(expired).toEqual(['a']);
  vi.advanceTimersByTime(1);
  expect(expired).toEqual(['a', 'b', 'c']);
  expect(vi.getTimerCount()).toBe(0);
});

test('an item that ends in time does not expire, and neither hurries nor delays later ones', () => {
  const { deadlines, add, expired } = waitingRoom();
  deadlines.delete(add('in time'));
  vi.advanceTimersByTime(900);
  add('late');
  vi.advanceTimersByTime(999);
  expect(expired).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(expired).toEqual(['late']);
});

test('items that are taken out do not expire', () => {
  const { deadlines, add, expired } = waitingRoom();
  const all = [add('a'), add('b')];
  expect(deadlines.takeAll()).toEqual(all);
  expect(vi.getTimerCount()).toBe(0);
  vi.advanceTimersByTime(DEADLINE_MS);
  expect(expired).toEqual([]);
  add('c');
  vi.advanceTimersByTime(DEADLINE_MS);
  expect(expired).toEqual(['c']);
});
