import { expect, test } from 'vitest';
import { createLaneLimits } from './limits.ts';

type Limits = ReturnType<typeof createLaneLimits>;

/** Begins a number of requests to a lane, each of a webhook of its own. */
const begin = (limits: Limits, lane: string, count: number) => {
  for (let at = 0; at < count; at++) limits.begin(lane, `${lane} webhook ${at}`);
};
const end = (limits: Limits, lane: string, well: boolean, webhook = `${lane} webhook 0`) =>
  limits.end(lane, webhook, well);
/** Lets the receiver of a lane answer often enough to get all places. */
const atFullSpeed = (limits: Limits, lane: string) => {
  begin(limits, lane, 3);
  for (let answers = 0; answers < 2; answers++) end(limits, lane, true, `${lane} webhook ${answers}`);
};

test('a lane begins with eight places, and a receiver that responds gets up to 32', () => {
  const limits = createLaneLimits();
  expect(limits.freePlaces('a')).toBe(8);
  begin(limits, 'a', 8);
  expect(limits.freePlaces('a')).toBe(0);
  for (let answers = 0; answers < 4; answers++) {
    end(limits, 'a', true);
    begin(limits, 'a', 1);
  }
  expect(limits.freePlaces('a')).toBe(32 - 8);
});

test('a failing receiver gets one request at a time until it responds, and then more with each response', () => {
  const limits = createLaneLimits();
  begin(limits, 'a', 8);
  end(limits, 'a', false);
  expect(limits.freePlaces('a')).toBe(0);
  for (let left = 7; left > 0; left--) end(limits, 'a', false);
  expect(limits.freePlaces('a')).toBe(1);
  for (const places of [2, 4, 8]) {
    begin(limits, 'a', 1);
    end(limits, 'a', true);
    expect(limits.freePlaces('a')).toBe(places);
  }
});

test('a webhook has at most eight requests in flight', () => {
  const limits = createLaneLimits();
  expect(limits.freePlacesOf('w')).toBe(8);
  for (let at = 0; at < 8; at++) limits.begin('a', 'w');
  expect(limits.freePlacesOf('w')).toBe(0);
  expect(limits.freePlacesOf('another')).toBe(8);
  limits.end('a', 'w', true);
  expect(limits.freePlacesOf('w')).toBe(1);
});

test('a lane with nothing in flight has a place even if the others reach the total limit, unless it failed', () => {
  const limits = createLaneLimits();
  for (let lane = 0; lane < 32; lane++) begin(limits, `busy ${lane}`, 8);
  expect(limits.freePlaces('busy 0')).toBe(0);
  expect(limits.freePlaces('idle')).toBe(1);
  begin(limits, 'failed', 1);
  end(limits, 'failed', false);
  expect(limits.freePlaces('failed')).toBe(0);
  for (let lane = 0; lane < 64; lane++) begin(limits, `late ${lane}`, 1);
  expect(limits.freePlaces('idle')).toBe(0);
});

test('deliveries are prefetched only for a receiver at full speed, and no longer once it fails', () => {
  const limits = createLaneLimits();
  expect(limits.wanted('a', 0)).toBe(8);
  atFullSpeed(limits, 'a');
  expect(limits.ahead('a')).toBe(512);
  expect(limits.room('a', 0)).toBe(31 + 512);
  end(limits, 'a', false, 'a webhook 2');
  expect(limits.ahead('a')).toBe(0);
  expect(limits.wanted('a', 0)).toBe(1);
});

test('more deliveries are read only when half of them are used up, and no more than 160 at once', () => {
  const limits = createLaneLimits();
  atFullSpeed(limits, 'a');
  begin(limits, 'a', 31);
  expect(limits.freePlaces('a')).toBe(0);
  expect(limits.wanted('a', 256)).toBe(0);
  expect(limits.room('a', 256)).toBe(256);
  expect(limits.wanted('a', 255)).toBe(160);
  expect(limits.wanted('a', 255, 20)).toBe(20);
});

test('fewer deliveries are prefetched for a lane in which some have waited for too long, until none are left', () => {
  const limits = createLaneLimits();
  atFullSpeed(limits, 'a');
  begin(limits, 'a', 31);
  limits.tookTooMany('a');
  expect(limits.room('a', 100)).toBe(28);
  expect(limits.room('a', 400)).toBe(0);
  expect(limits.wanted('a', 64)).toBe(0);
  expect(limits.wanted('a', 63)).toBe(65);
  expect(limits.perWebhook('a')).toBe(16);
  limits.ranOut('a');
  expect(limits.room('a', 0)).toBe(512);
});

test('a webhook has enough with 8 deliveries in flight or prefetched, and with 64 if its lane is prefetched', () => {
  const limits = createLaneLimits();
  for (let at = 0; at < 7; at++) limits.begin('a', 'w');
  expect(limits.haveEnough('a', new Map())).toEqual([]);
  expect(limits.haveEnough('a', new Map([['w', 1]]))).toEqual(['w']);
  limits.begin('a', 'w');
  expect(limits.haveEnough('a', new Map())).toEqual(['w']);
  atFullSpeed(limits, 'a');
  expect(limits.haveEnough('a', new Map([['w', 55]]))).toEqual([]);
  expect(limits.haveEnough('a', new Map([['w', 56]]))).toEqual(['w']);
});

test('the limit of a lane is remembered while nothing is in flight', () => {
  const limits = createLaneLimits();
  atFullSpeed(limits, 'a');
  end(limits, 'a', true, 'a webhook 2');
  expect(limits.freePlaces('a')).toBe(32);
});

test('among very many lanes, the limits of those used least recently are dropped, failing ones included', () => {
  const limits = createLaneLimits();
  for (let lane = 0; lane <= 100_000; lane++) {
    begin(limits, `${lane}`, 1);
    end(limits, `${lane}`, false, `${lane} webhook 0`);
  }
  expect(limits.freePlaces('0')).toBe(8);
  expect(limits.freePlaces('100000')).toBe(1);
});

test('lanes are served in turn', () => {
  const limits = createLaneLimits();
  const lanes = ['a', 'b', 'c'].map((lane) => ({ lane }));
  expect(limits.roundRobin(lanes)).toEqual(lanes);
  begin(limits, 'a', 1);
  expect(limits.roundRobin(lanes).map(({ lane }) => lane)).toEqual(['b', 'c', 'a']);
});

test('a delivery that was not sent does not change the limit', () => {
  const limits = createLaneLimits();
  limits.begin('a', 'w');
  limits.end('a', 'w', undefined);
  expect(limits.freePlaces('a')).toBe(8);
});
