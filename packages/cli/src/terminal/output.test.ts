import type { HubReport } from '@moonbase/client/admin';
import { describe, expect, test } from 'vitest';
import { reportText, whoAmIText } from './output.ts';

const noChanges = { created: 0, updated: 0, unchanged: 0, removed: 0 };
const empty: HubReport = {
  users: noChanges,
  tokens: noChanges,
  organizations: noChanges,
  members: noChanges,
  repos: noChanges,
  papers: noChanges,
  posts: noChanges,
  spaceSettings: noChanges,
  articles: noChanges,
  newTokens: [],
  warnings: [],
};

describe('a report', () => {
  test('is a table of the kinds in the document', () => {
    const users = { created: 12, updated: 0, unchanged: 3, removed: 0 };
    expect(reportText({ ...empty, users, repos: { ...noChanges, removed: 1 } })).toBe(
      [
        '       created  updated  unchanged  removed',
        'users       12        0          3        0',
        'repos        0        0          0        1',
        '',
      ].join('\n'),
    );
  });

  test('shows new tokens after the table', () => {
    const newTokens = [{ user: 'ada', name: 'laptop', token: 'hf_new' }];
    const text = reportText({ ...empty, tokens: { ...noChanges, created: 1 }, newTokens });
    expect(text).toMatch(/\n\nA new token, shown this once:\n {2}ada {2}laptop {2}hf_new\n$/);
  });

  test('of an empty document says that the document is empty', () => {
    expect(reportText(empty)).toBe('The document is empty.\n');
  });
});

test('whoami names the organizations and the kind of token', () => {
  const id = '0'.repeat(24);
  const avatarUrl = 'http://hub.test/avatar';
  const account = { id, avatarUrl, name: 'ada', fullname: 'Ada Lovelace' };
  const accessToken = { displayName: 'laptop', role: 'write', createdAt: '2026-01-31T12:00:00.000Z' } as const;
  const org = { type: 'org', id, avatarUrl, name: 'acme', fullname: 'Acme', roleInOrg: 'admin' } as const;
  const who = {
    ...account,
    type: 'user',
    isPro: false,
    orgs: [org],
    auth: { type: 'access_token', accessToken },
  } as const;
  expect(whoAmIText({ ...who, orgs: [org] }, 'http://hub.test')).toBe(
    [
      'ada (Ada Lovelace)',
      '  token          laptop (write)',
      '  organizations  acme (admin)',
      '  hub            http://hub.test',
      '',
    ].join('\n'),
  );
});
