import { ScimGroup, ScimUser } from '@moonbase/contract/scim/shapes';
import { describe, expect, test } from 'vitest';
import { applyPatch } from '../patch/patch.ts';
import { type GroupRecord, listResponse, presentGroup, presentUser, storedUser, type UserRecord } from './output.ts';
import { readPage } from './paging.ts';
import { isAskedFor, project } from './projection.ts';
import { readUser } from './user-input.ts';
import { ifMatch } from './versions.ts';

const hub = { baseUrl: 'https://hub.example/api/organizations/acme/scim/v2' };
const nobody: UserRecord = {
  id: 'u1',
  externalId: null,
  userName: 'ada',
  givenName: null,
  familyName: null,
  formatted: null,
  displayName: null,
  email: null,
  emailType: null,
  emailPrimary: null,
  active: true,
  createdAt: Date.UTC(2026, 0, 1),
  updatedAt: Date.UTC(2026, 0, 2),
};
const ada = { ...nobody, givenName: 'Ada', familyName: 'Lovelace', email: 'ada@example.com' };
const group: GroupRecord = { ...nobody, id: 'g1', displayName: 'Engines', members: ['u1'] };

test('a user is shown with names, e-mail address and location', () => {
  const shown = presentUser(ada, hub);
  expect(ScimUser.parse(shown)).toMatchObject({
    displayName: 'Ada Lovelace',
    name: { formatted: 'Ada Lovelace', familyName: 'Lovelace', givenName: 'Ada' },
    emails: [{ value: 'ada@example.com', primary: true }],
  });
  expect(shown.meta).toEqual({
    resourceType: 'User',
    created: '2026-01-01T00:00:00.000Z',
    lastModified: '2026-01-02T00:00:00.000Z',
    location: `${hub.baseUrl}/Users/u1`,
    version: expect.stringMatching(/^W\/"[\w-]{22}"$/),
  });
});

test('a user without names is shown with the userName instead', () => {
  const { displayName, name, emails } = presentUser(nobody, hub);
  expect({ displayName, name, emails }).toEqual({
    displayName: 'ada',
    name: { formatted: 'ada', familyName: '', givenName: 'ada' },
    emails: [],
  });
});

test('a patch starts from the stored user, not from the shown one', () => {
  const body = { Operations: [{ op: 'replace', path: 'name.givenName', value: 'Augusta' }] };
  expect(readUser(applyPatch('User', storedUser(ada), body))).toEqual({
    userName: 'ada',
    externalId: null,
    givenName: 'Augusta',
    familyName: 'Lovelace',
    email: 'ada@example.com',
    emailPrimary: true,
    active: true,
  });
});

test('a group is shown with its members, or without them if they were not looked up', () => {
  expect(ScimGroup.parse(presentGroup(group, hub)).members).toEqual([{ value: 'u1' }]);
  expect(presentGroup({ ...group, members: undefined }, hub)).not.toHaveProperty('members');
});

test('a list says how many resources there are, where it begins, and how many it has', () => {
  expect(listResponse(['a', 'b'], { totalResults: 7, startIndex: 3 })).toEqual({
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults: 7,
    itemsPerPage: 2,
    startIndex: 3,
    Resources: ['a', 'b'],
  });
});

test('the version changes with the user, and with nothing else', () => {
  const version = (user: UserRecord) => presentUser(user, hub).meta;
  expect(version(ada)).toEqual(version({ ...ada }));
  expect(version(ada)).not.toEqual(version({ ...ada, active: false }));
});

describe('If-Match', () => {
  test.each([undefined, '*', 'W/"a"', '"a"', '"b", W/"a"'])('%s matches the version W/"a"', (header) => {
    expect(() => ifMatch(header, 'W/"a"')).not.toThrow();
  });
  test.each(['W/"b"', '"b"', 'a', ''])('%s does not match the version W/"a"', (header) => {
    expect(() => ifMatch(header, 'W/"a"')).toThrow(expect.objectContaining({ status: 412 }));
  });
});

describe('the query for attributes', () => {
  const keys = (query: Parameters<typeof project>[2]) => Object.keys(project('User', presentUser(ada, hub), query));

  test.each<[query: Parameters<typeof project>[2], keys: string[]]>([
    [{ attributes: 'userName' }, ['schemas', 'id', 'userName']],
    [{ attributes: 'USERNAME, externalid' }, ['schemas', 'id', 'externalId', 'userName']],
    [{ attributes: 'urn:ietf:params:scim:schemas:core:2.0:User:active' }, ['schemas', 'id', 'active']],
    [{ attributes: 'nothing,title' }, ['schemas', 'id']],
    [
      { excludedAttributes: 'id,schemas,name,emails,meta,displayName' },
      ['schemas', 'id', 'externalId', 'userName', 'active'],
    ],
    [{ attributes: 'userName,active', excludedAttributes: 'active' }, ['schemas', 'id', 'userName']],
  ])('%j selects %j', (query, expected) => {
    expect(keys(query).sort()).toEqual(expected.sort());
  });

  test('selects all attributes if it names none', () => {
    const shown = presentUser(ada, hub);
    expect(project('User', shown, { attributes: '', excludedAttributes: ' , ' })).toEqual(shown);
  });

  test('can select and exclude parts of an attribute', () => {
    const shown = presentUser(ada, hub);
    expect(project('User', shown, { attributes: 'name.givenName,emails.value' })).toMatchObject({
      name: { givenName: 'Ada' },
      emails: [{ value: 'ada@example.com' }],
    });
    expect(project('User', shown, { attributes: 'name.givenName' }).name).toEqual({ givenName: 'Ada' });
    expect(project('User', shown, { excludedAttributes: 'name.givenName' }).name).not.toHaveProperty('givenName');
  });

  test.each([
    [{}, true],
    [{ excludedAttributes: 'members' }, false],
    [{ excludedAttributes: 'Members' }, false],
    [{ excludedAttributes: 'members.$ref' }, true],
    [{ attributes: 'displayName' }, false],
    [{ attributes: 'members.value' }, true],
  ])('%j selects members: %s', (query, asked) => {
    expect(isAskedFor('Group', 'members', query)).toBe(asked);
  });
});

describe('a page', () => {
  test.each([
    [{}, { startIndex: 1, count: 1000 }],
    [
      { startIndex: '', count: '' },
      { startIndex: 1, count: 1000 },
    ],
    [
      { startIndex: '3', count: '2' },
      { startIndex: 3, count: 2 },
    ],
    [
      { startIndex: '0', count: '0' },
      { startIndex: 1, count: 0 },
    ],
    [
      { startIndex: '-5', count: '-1' },
      { startIndex: 1, count: 0 },
    ],
    [
      { startIndex: 2, count: 5000 },
      { startIndex: 2, count: 1000 },
    ],
    [{ startIndex: '9'.repeat(30) }, { startIndex: Number.MAX_SAFE_INTEGER, count: 1000 }],
  ])('given as %j is %j', (query, page) => {
    expect(readPage(query)).toEqual(page);
  });
  test.each([{ startIndex: 'one' }, { count: '1.5' }, { count: '1e3' }])('given as %j is refused', (query) => {
    expect(() => readPage(query)).toThrow(expect.objectContaining({ status: 400 }));
  });
});
