import { expect, test } from 'vitest';
import { createTestClock, MINUTE } from '../../../test/clock.ts';
import { createOutage } from './outage.ts';

function startOutage() {
  const clock = createTestClock();
  const told: object[] = [];
  const outage = createOutage({
    clock,
    onFailing: (details) => told.push({ failing: details }),
    onWorking: (details) => told.push({ working: details }),
  });
  return { clock, told, ...outage };
}

test('what fails is told at once, every ten minutes while it lasts, and once when it works again', () => {
  const { clock, told, failed, worked } = startOutage();
  worked();
  for (let minute = 0; minute <= 20; minute++) {
    failed({ reason: `at ${minute}` });
    clock.advance(MINUTE);
  }
  worked();
  worked();
  expect(told).toEqual([
    { failing: { reason: 'at 0' } },
    { failing: { reason: 'at 10', untold: 9 } },
    { failing: { reason: 'at 20', untold: 9 } },
    { working: { failures: 21 } },
  ]);
});

test('what fails and works in turn is told no more often', () => {
  const { clock, told, failed, worked } = startOutage();
  for (let minute = 0; minute < 30; minute++) {
    failed({});
    worked();
    clock.advance(MINUTE);
  }
  expect(told).toHaveLength(6);
});
