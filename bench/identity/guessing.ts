import type { BenchHub } from '../hub.ts';
import type { Figure } from '../stats.ts';
import { ask, PASSWORD } from './people.ts';

const ADDRESSES = 50;
const AT_ONCE = 16;

/** Guesses the password of one user from many addresses; then the owner of the name signs in from another. */
export async function guessing(hub: BenchHub, tries: number): Promise<Figure[]> {
  const statuses = new Map<number, number>();
  let left = tries;
  const guess = async () => {
    while (left > 0) {
      left--;
      const address = `192.0.2.${left % ADDRESSES}`;
      const body = { name: 'p-0', password: `wrong and long enough ${left}` };
      const { status } = await ask(hub, { path: '/api/sign-in', body, address });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, guess));
  const owner = { path: '/api/sign-in', body: { name: 'p-0', password: PASSWORD }, address: '198.51.100.1' };
  const { status, ms } = await ask(hub, owner);
  const counted = [...statuses].map(([each, count]) => `${count} × ${each}`).join(', ');
  const of = tries.toLocaleString('en');
  return [
    {
      name: `${of} wrong passwords for one name from ${ADDRESSES} addresses, guesses that got in`,
      ...{ value: statuses.get(200) ?? 0, unit: 'count', bound: { atMost: 0 }, always: true, note: counted },
    },
    {
      name: `${of} wrong passwords for one name from ${ADDRESSES} addresses, then its owner signs in`,
      ...{ value: status === 200 ? 1 : 0, unit: 'count', bound: { atLeast: 1 }, always: true },
      note: `after ${Math.round(ms)} ms`,
    },
  ];
}
