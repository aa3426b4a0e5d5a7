import { setTimeout as pause } from 'node:timers/promises';
import { applyHub } from '@moonbase/client/admin';
import { getNotificationPage } from '@moonbase/client/notifications';
import { createOrganization, deleteOrganization } from '@moonbase/client/organizations';
import { whoAmI } from '@moonbase/client/profiles';
import { createBranch, createRepo } from '@moonbase/client/repositories';
import { createResourceGroup } from '@moonbase/client/resource-groups';
import { createScimGroup, deleteScimGroup } from '@moonbase/client/scim';
import { createScimLink } from '@moonbase/client/scim-links';
import { atPace, createBystander } from './bystander.ts';
import { hex, numbers } from './generate.ts';
import { type BenchHub, type Connection, startBenchHub } from './hub.ts';
import type { Scale } from './scale.ts';
import { fillProvisioned } from './scim.ts';
import { type Figure, percentile, shown } from './stats.ts';

const REPO = { type: 'model', repo: 'reader/notes' } as const;
const LIMIT_MS = 600_000;
const ROWS_PER_STATEMENT = 10_000;

/** The requests of another client: their rate per second, and the bound on the slowest hundredth. */
const ASKED = [
  { what: 'GET /api/whoami-v2', perSecond: 50, atMost: 25 },
  { what: 'GET /api/notifications', perSecond: 50, atMost: 25 },
  { what: 'a new branch', perSecond: 20, atMost: 150 },
] as const;

/** Measures the waits of another client while the hub writes much. */
export async function benchReaders({ groupMembers, appliedUsers, purgedRepos }: Scale): Promise<Figure[]> {
  await using hub = await startBenchHub();
  const reader = await createBystander(hub.connection);
  await createRepo({ ...reader, ...REPO });
  const linked = await fillGroup(hub, groupMembers);
  const purged = await fillRepos(hub, purgedRepos);
  await hub.side.settle();
  // While the second connection wrote, a transaction of the hub may have begun to wait.
  await createBranch({ ...reader, ...REPO, branch: 'settled' });

  const figures: Figure[] = [];
  const measure = async (title: string, begin: () => Promise<unknown>, left: string) => {
    figures.push(...(await meanwhile(reader, title, () => begin().then(() => untilNone(hub, left)))));
  };
  const of = (count: number) => count.toLocaleString('en');
  const acme = { ...hub.connection, name: 'acme' };
  await measure(
    `a SCIM group of ${of(groupMembers)} members is linked to a resource group and the organization`,
    async () => {
      await createScimLink({ ...acme, ...linked, role: 'read' });
      await createScimLink({ ...acme, groupId: linked.groupId, role: 'write' });
    },
    `select 2 * count(*) - (select count(*) from resource_group_users)
       - (select count(*) from memberships where role = 'write') from scim_group_members`,
  );
  await measure(
    `the SCIM group of ${of(groupMembers)} members is deleted`,
    () => deleteScimGroup({ ...acme, groupId: linked.groupId }),
    `select (select count(*) from scim_group_members) + (select count(*) from resource_group_users)
       + (select count(*) from memberships where role = 'write')`,
  );
  await measure(
    `a document of ${of(appliedUsers)} users is applied`,
    () => applyHub({ ...hub.connection, document: documentOf(appliedUsers) }),
    `select ${appliedUsers} - count(*) from memberships m join accounts a on a.id = m.org_id where a.name = 'applied'`,
  );
  await measure(
    `an organization of ${of(purgedRepos)} repositories is purged`,
    async () => {
      await deleteOrganization({ ...hub.connection, name: 'purged' });
      await hub.side.run("update tasks set due_at = 0 where kind = 'organizations.purge'");
    },
    `select count(*) from accounts where id = '${purged}'`,
  );
  return figures;
}

/** Returns the answer times of another client from before an operation until its end. */
async function meanwhile(reader: Connection, title: string, work: () => Promise<unknown>): Promise<Figure[]> {
  const startedAt = performance.now();
  let tookMs: number | undefined;
  const prefix = `b${Math.round(startedAt)}`;
  const isOver = () => tookMs !== undefined;
  const asks = [
    () => whoAmI(reader),
    () => getNotificationPage(reader),
    (at: number) => createBranch({ ...reader, ...REPO, branch: `${prefix}-${at}` }),
  ];
  const worked = work().finally(() => {
    tookMs = performance.now() - startedAt;
  });
  const [times] = await Promise.all([
    Promise.all(asks.map((ask, at) => atPace(ASKED[at]?.perSecond ?? 1, isOver, ask))),
    worked,
  ]);
  return [
    { name: title, value: tookMs ?? Number.NaN, unit: 'ms' },
    ...ASKED.map(({ what, atMost }, at): Figure => {
      const all = times[at] ?? [];
      return {
        name: `${title}: ${what} meanwhile, p99`,
        value: percentile(all, 0.99),
        unit: 'ms',
        bound: { atMost },
        note: `of ${all.length}: median ${shown(percentile(all, 0.5))} ms, slowest ${shown(Math.max(...all))} ms`,
      };
    }),
  ];
}

/** Polls until no row is left; throws if rows remain for too long. */
async function untilNone(hub: BenchHub, left: string): Promise<void> {
  for (const deadline = Date.now() + LIMIT_MS; (await hub.side.number(left)) > 0; await pause(250))
    if (Date.now() > deadline) throw new Error(`There is some left: ${left}`);
}

/**
 * Fills the organization `acme` with users whom a provider created, nine of ten of them in a group, and with a resource
 * group.
 */
async function fillGroup(hub: BenchHub, count: number) {
  const { id: orgId } = await createOrganization({ ...hub.connection, name: 'acme', plan: 'plus' });
  await fillProvisioned(hub.side, orgId, Math.ceil((count * 10) / 9) + 1);
  const group = { schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'], displayName: 'Everybody' };
  const { id: groupId } = await createScimGroup({ ...hub.connection, name: 'acme', group });
  await hub.side.run(`insert into scim_group_members (group_id, user_id)
    select '${groupId}', user_id from scim_users where org_id = '${orgId}' order by user_id limit ${count}`);
  const { id: resourceGroupId } = await createResourceGroup({
    ...hub.connection,
    ...{ organization: 'acme', name: 'Research', users: [], repos: [] },
  });
  return { groupId, resourceGroupId };
}

/** Fills the organization `purged` with repositories that have a branch and a discussion each; returns its id. */
async function fillRepos(hub: BenchHub, count: number): Promise<string> {
  const { id: orgId } = await createOrganization({ ...hub.connection, name: 'purged' });
  const id = (kind: string) => `('${kind}' || ${hex('i', 23)})`;
  for (let from = 0; from < count; from += ROWS_PER_STATEMENT) {
    const part = numbers(from, Math.min(from + ROWS_PER_STATEMENT, count) - 1);
    await hub.side.run(`insert into repositories (id, type, owner_id, name, name_key, created_at, discussion_count)
      select ${id('c')}, 'model', '${orgId}', 'r-' || i, 'r-' || i, 0, 1 from ${part}`);
    await hub.side.run(`insert into refs (repo_id, ref, sha)
      select ${id('c')}, 'refs/heads/main', '${'0'.repeat(40)}' from ${part}`);
    await hub.side.run(`insert into discussions (id, repo_id, num, title, status, is_pull_request, created_at)
      select ${id('d')}, ${id('c')}, 1, 'A discussion', 'open', 0, 0 from ${part}`);
  }
  return orgId;
}

/** Returns a document of users with a token each, all of them members of an organization. */
function documentOf(count: number) {
  const names = Array.from({ length: count }, (_, at) => `applied-${at}`);
  return {
    users: names.map((name) => ({
      name,
      ...{ fullname: `The user ${name}`, email: `${name}@example.com` },
      tokens: [{ name: 'first', role: 'write' as const }],
    })),
    organizations: [{ name: 'applied', members: names.map((user) => ({ user, role: 'write' as const })) }],
  };
}
