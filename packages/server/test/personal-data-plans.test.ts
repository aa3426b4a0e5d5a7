import { CompiledQuery, createQueryId, type KyselyPlugin, type RootOperationNode, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sectionsFrom } from '../src/personal-data/index.ts';
import type { Section } from '../src/personal-data/section.ts';
import type { Executor } from '../src/platform/database/transaction.ts';
import { type OpenTestDatabase, openTestDatabase } from './open-test-database.ts';
import { engine } from './test-database.ts';

const none = async () => [];
const noPages = async () => ({ items: [], next: undefined });
const sections = sectionsFrom({
  ...{ usage: async () => ({ usedBytes: 0, storageGib: null }), notificationSettings: async () => ({}) },
  ...{ mcpSettings: async () => ({}), sessions: none, grants: none, applications: none, publishers: none },
  ...{ identities: none, webhooks: none, signIns: noPages, accessTokens: noPages, paperClaims: noPages },
});
const USER = 'f'.repeat(24);
const asUser = {
  ...{ baseUrl: '', hubUrl: '', url: '', address: '', userAgent: undefined, requestId: '' },
  principal: { userId: USER, userName: 'ada', siteAdmin: false, token: { id: USER, role: 'write' as const } },
};

let opened: OpenTestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase();
});
afterAll(() => opened[Symbol.asyncDispose]());

/** Returns the queries by which a section reads a page. */
async function queriesOf(tx: Executor, section: Section): Promise<CompiledQuery[]> {
  const nodes: RootOperationNode[] = [];
  const recording: KyselyPlugin = {
    transformQuery({ node }) {
      nodes.push(node);
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const subject = { read: tx.withPlugin(recording), userId: USER, asUser };
  for await (const page of section.pages(subject)) expect(page.length).toBeLessThan(2);
  return nodes.map((node) => tx.getExecutor().compileQuery(node, createQueryId()));
}

async function planOf(tx: Executor, query: CompiledQuery): Promise<string[]> {
  const explain = engine === 'postgres' ? 'explain' : 'explain query plan';
  const { rows } = await tx.executeQuery<Record<string, unknown>>(
    CompiledQuery.raw(`${explain} ${query.sql}`, [...query.parameters]),
  );
  return rows.map((row) => String(row.detail ?? row['QUERY PLAN']));
}

/** What has no rows of users: organizations that are deleted, of which there are few, and lists of ids. */
const SMALL = /organization_settings|json_each|listed|CONSTANT/;

test.each(sections.map((section) => [section.name, section] as const))(
  'a page of %s is read with indexes',
  async (_, section) => {
    await opened.database.transaction(async (tx) => {
      // Otherwise PostgreSQL reads small tables whole.
      if (engine === 'postgres') await sql`set local enable_seqscan = off`.execute(tx);
      for (const query of await queriesOf(tx, section)) {
        const plan = await planOf(tx, query);
        const whole = plan.filter((line) => /^SCAN |Seq Scan on /.test(line) && !SMALL.test(line));
        expect({ whole, plan }).toEqual({ whole: [], plan });
      }
    });
  },
);
