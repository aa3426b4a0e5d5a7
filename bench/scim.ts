import { createOrganization } from '@moonbase/client/organizations';
import { hex, numbers } from './generate.ts';
import { ACCESS_TOKEN, type Side, startBenchHub } from './hub.ts';
import { load, requestBytes } from './load.ts';
import type { Scale } from './scale.ts';
import { type Figure, percentile } from './stats.ts';

const ROWS_PER_STATEMENT = 20_000;
const JOINED_FROM = 1_700_000_000;
const PAGE = 1000;

/** Fills an organization with users whom a provider created one second apart, and a tenth as many other members. */
export async function fillProvisioned(side: Side, orgId: string, count: number): Promise<void> {
  const id = `(${hex(`${JOINED_FROM} + i`, 8)} || ${hex('i', 16)})`;
  const at = `(${JOINED_FROM} + i) * cast(1000 as bigint)`;
  for (let from = 0; from < count; from += ROWS_PER_STATEMENT) {
    const part = numbers(from, Math.min(from + ROWS_PER_STATEMENT, count) - 1);
    await side.run(`insert into accounts (id, kind, name, name_key, fullname, email, created_at)
      select ${id}, 'user', 'user-' || i, 'user-' || i, 'User Number ' || i, 'user-' || i || '@example.com', ${at}
      from ${part}`);
    await side.run(`insert into scim_users (org_id, user_id, owned, user_name, user_name_key, external_id, given_name,
        family_name, email, email_key, created_at, updated_at)
      select '${orgId}', ${id}, 1, 'User-' || i || '@example.com', 'user-' || i || '@example.com', 'ext-' || i, 'User',
        'Number ' || i, 'user-' || i || '@example.com', 'user-' || i || '@example.com', ${at}, ${at}
      from ${part} where i % 10 > 0`);
    await side.run(`insert into memberships (org_id, user_id, role, base_role, created_at, search_key, in_scim)
      select '${orgId}', ${id}, 'read', 'read', ${at}, 'user-' || i, case when i % 10 > 0 then 1 else 0 end
      from ${part}`);
  }
  await side.settle();
}

/** Measures SCIM in an organization of many users: finding one, reading all by pages, and creating some. */
export async function benchScim({ members, requests, scimUsers }: Scale): Promise<Figure[]> {
  await using hub = await startBenchHub();
  const { id } = await createOrganization({ ...hub.connection, name: 'acme', plan: 'plus' });
  await fillProvisioned(hub.side, id, members);
  const headers = { authorization: `Bearer ${ACCESS_TOKEN}`, accept: 'application/scim+json' };
  const get = (query: string) =>
    requestBytes(hub.url, 'GET', `/api/organizations/acme/scim/v2/Users?${query}`, headers);
  const figures: Figure[] = [];
  const many = `SCIM, ${members.toLocaleString('en')}`;
  let at = 0;
  const filters: [string, (n: number) => string][] = [
    ['userName eq', (n) => `userName eq "user-${n}@example.com"`],
    ['externalId eq', (n) => `externalId eq "ext-${n}"`],
    ['emails[type eq "work"].value eq', (n) => `emails[type eq "work"].value eq "User-${n}@example.com"`],
  ];
  for (const [name, filter] of filters) {
    const times: number[] = [];
    await load({
      url: hub.url,
      connections: 1,
      requests: Math.min(500, requests / 4),
      next: () => {
        at += 7919;
        return get(`filter=${encodeURIComponent(filter(at % members))}&startIndex=1&count=100`);
      },
      onAnswer: (ms) => times.push(ms),
    });
    figures.push(
      { name: `${many} users, ${name}, median`, value: percentile(times, 0.5), unit: 'ms', bound: { atMost: 5 } },
      { name: `${many} users, ${name}, p99`, value: percentile(times, 0.99), unit: 'ms' },
    );
  }

  const pages: number[] = [];
  let startIndex = 1 - PAGE;
  await load({
    url: hub.url,
    connections: 1,
    requests: Math.ceil(members / PAGE),
    next: () => {
      startIndex += PAGE;
      return get(`startIndex=${startIndex}&count=${PAGE}`);
    },
    onAnswer: (ms) => pages.push(ms),
  });
  const tenth = Math.max(1, Math.floor(pages.length / 10));
  const medianOf = (times: readonly number[]) => percentile([...times], 0.5);
  figures.push(
    { name: `${many} users, a page of ${PAGE}, median`, value: medianOf(pages), unit: 'ms' },
    { name: `${many} users, the first page, which counts`, value: pages[0] ?? 0, unit: 'ms' },
    {
      name: `${many} users, last tenth of the pages to the first`,
      value: medianOf(pages.slice(-tenth)) / medianOf(pages.slice(1, tenth + 1)),
      unit: 'ratio',
      bound: { atMost: 1.5 },
      grows: 'rows',
    },
  );

  let made = 0;
  const perSecond = await load({
    url: hub.url,
    connections: 16,
    requests: scimUsers,
    next: () => {
      const userName = `new-${made++}@example.com`;
      const body = JSON.stringify({
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
        userName,
        externalId: `new-${made}`,
        name: { givenName: 'New', familyName: `User ${made}` },
        emails: [{ value: userName, type: 'work', primary: true }],
        active: true,
      });
      const type = { 'content-type': 'application/scim+json' };
      return requestBytes(hub.url, 'POST', '/api/organizations/acme/scim/v2/Users', { ...headers, ...type }, body);
    },
  });
  figures.push({
    name: `SCIM, ${scimUsers.toLocaleString('en')} users created`,
    value: perSecond,
    unit: 'per second',
    bound: { atLeast: 300 },
  });
  return figures;
}
