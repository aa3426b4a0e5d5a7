import { createOrganization } from '@moonbase/client/organizations';
import { hex, numbers } from './generate.ts';
import { ACCESS_TOKEN, type BenchHub, startBenchHub } from './hub.ts';
import { load, requestBytes } from './load.ts';
import type { Scale } from './scale.ts';
import { type Figure, percentile } from './stats.ts';

const ROWS_PER_STATEMENT = 20_000;
const JOINED_FROM = 1_700_000_000;

/** Fills an organization with members who joined one second apart. */
async function fillMembers(hub: BenchHub, orgId: string, count: number): Promise<void> {
  const id = `(${hex(`${JOINED_FROM} + i`, 8)} || ${hex('i', 16)})`;
  const joinedAt = `(${JOINED_FROM} + i) * cast(1000 as bigint)`;
  for (let from = 0; from < count; from += ROWS_PER_STATEMENT) {
    const part = numbers(from, Math.min(from + ROWS_PER_STATEMENT, count) - 1);
    await hub.side.run(`insert into accounts (id, kind, name, name_key, fullname, created_at)
      select ${id}, 'user', 'member-' || i, 'member-' || i, 'Member Number ' || i, ${joinedAt} from ${part}`);
    await hub.side.run(`insert into memberships (org_id, user_id, role, base_role, created_at, search_key)
      select '${orgId}', ${id}, 'read', 'read', ${joinedAt}, 'member-' || i || ' member number ' || i from ${part}`);
  }
  await hub.side.settle();
}

/** Measures `GET /api/organizations/{name}/members` with many members: first pages, deep pages and searches. */
export async function benchMembers({ members, requests }: Scale): Promise<Figure[]> {
  await using hub = await startBenchHub();
  const { id } = await createOrganization({ ...hub.connection, name: 'acme' });
  await fillMembers(hub, id, members);
  const cursor = (at: number) =>
    Buffer.from(
      `${(JOINED_FROM + at) * 1000}.${(JOINED_FROM + at).toString(16)}${at.toString(16).padStart(16, '0')}`,
    ).toString('base64url');
  const last = members - 7;
  const queries: [string, string, number][] = [
    ['a page of 500', 'limit=500', 20],
    ['a page of 500, the last', `limit=500&cursor=${cursor(members - 501)}`, 20],
    ['search that finds all', 'limit=500&search=number', 150],
    ['search that finds one, the last', `limit=500&search=member-${last}`, 150],
    ['search that finds nobody', 'limit=500&search=nobody', 150],
  ];
  const figures: Figure[] = [];
  for (const [name, query, atMost] of queries) {
    const times: number[] = [];
    await load({
      url: hub.url,
      connections: 1,
      requests: Math.min(500, requests / 4),
      next: () =>
        requestBytes(hub.url, 'GET', `/api/organizations/acme/members?${query}`, {
          authorization: `Bearer ${ACCESS_TOKEN}`,
        }),
      onAnswer: (ms) => times.push(ms),
    });
    for (const [share, label] of [
      [0.5, 'median'],
      [0.99, 'p99'],
    ] as const)
      figures.push({
        name: `${members.toLocaleString('en')} members, ${name}, ${label}`,
        value: percentile(times, share),
        unit: 'ms',
        bound: { atMost },
      });
  }
  return figures;
}
