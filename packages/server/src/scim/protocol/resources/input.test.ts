import { describe, expect, test } from 'vitest';
import { readGroup } from './group-input.ts';
import { readUser } from './user-input.ts';

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const bare = { userName: 'ada', externalId: null, active: true };

test.each<[title: string, body: object, expected: object]>([
  ['the minimum', { userName: 'ada' }, bare],
  [
    'what Okta sends',
    {
      schemas: [USER],
      userName: 'ada@example.com',
      name: { givenName: 'Ada', familyName: 'Lovelace' },
      emails: [{ primary: true, value: 'ada@example.com', type: 'work' }],
      displayName: 'Ada Lovelace',
      locale: 'en-US',
      externalId: '00u1',
      groups: [],
      password: 'secret',
      active: true,
    },
    {
      userName: 'ada@example.com',
      externalId: '00u1',
      givenName: 'Ada',
      familyName: 'Lovelace',
      displayName: 'Ada Lovelace',
      email: 'ada@example.com',
      emailType: 'work',
      emailPrimary: true,
      active: true,
    },
  ],
  [
    'what Entra sends',
    {
      schemas: [USER, 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'],
      externalId: 'guid',
      userName: 'ada',
      active: 'True',
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { department: 'Engines' },
      meta: { resourceType: 'User' },
      name: { formatted: 'Ada Lovelace' },
      roles: [],
    },
    { ...bare, externalId: 'guid', formatted: 'Ada Lovelace' },
  ],
  [
    'lists with one value',
    { userName: ['ada'], active: [{ value: 'False' }], name: [{ givenName: [{ value: 'Ada' }] }] },
    { ...bare, active: false, givenName: 'Ada' },
  ],
  [
    'names in any case',
    { USERNAME: 'ada', Name: { GIVENNAME: 'Ada' }, ACTIVE: false },
    { ...bare, givenName: 'Ada', active: false },
  ],
  [
    'empty texts and null count as missing',
    { userName: 'ada', externalId: '', displayName: null, name: null, emails: null },
    bare,
  ],
  ['an address alone', { userName: 'ada', emails: 'ada@example.com' }, { ...bare, email: 'ada@example.com' }],
  [
    'an address outside a list',
    { userName: 'ada', emails: { value: 'ada@example.com' } },
    { ...bare, email: 'ada@example.com' },
  ],
  [
    'the primary one of several addresses',
    {
      userName: 'ada',
      emails: [
        { value: 'a@example.com', type: 'work' },
        { value: 'b@example.com', primary: 'true' },
      ],
    },
    { ...bare, email: 'b@example.com', emailPrimary: true },
  ],
  [
    'otherwise the one for work',
    {
      userName: 'ada',
      emails: [
        { value: 'a@example.com', type: 'home' },
        { value: 'b@example.com', type: 'Work' },
      ],
    },
    { ...bare, email: 'b@example.com', emailType: 'work' },
  ],
  [
    'otherwise the first',
    { userName: 'ada', emails: [{ value: 'a@example.com', type: 'home' }] },
    { ...bare, email: 'a@example.com', emailType: 'work' },
  ],
])('a user: %s', (_title, body, expected) => {
  expect(readUser(body)).toEqual(expected);
});

describe('a user is refused:', () => {
  test.each<[scimType: string, body: unknown]>([
    ['invalidSyntax', undefined],
    ['invalidSyntax', []],
    ['invalidSyntax', 'ada'],
    ['invalidValue', {}],
    ['invalidValue', { userName: '' }],
    ['invalidValue', { userName: 7 }],
    ['invalidValue', { userName: { first: 'ada' } }],
    ['invalidValue', { userName: 'a'.repeat(256) }],
    ['invalidValue', { userName: 'a\0' }],
    ['invalidValue', { userName: 'a\ud800' }],
    ['invalidValue', { userName: 'ada', active: 'maybe' }],
    ['invalidValue', { userName: 'ada', active: null }],
    ['invalidValue', { userName: 'ada', name: 'Ada' }],
    ['invalidValue', { userName: 'ada', emails: ['nobody'] }],
    ['invalidValue', { userName: 'ada', emails: [{ value: 'a@example.com', primary: 1 }] }],
    ['invalidValue', { userName: 'ada', externalId: ['a', 'b'] }],
  ])('%s %j', (scimType, body) => {
    expect(() => readUser(body)).toThrow(expect.objectContaining({ status: 400, extra: { fields: { scimType } } }));
  });
});

test.each<[title: string, body: object, expected: object]>([
  [
    'what Entra sends, without members',
    {
      schemas: [
        'urn:ietf:params:scim:schemas:core:2.0:Group',
        'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group',
      ],
      externalId: 'guid',
      displayName: 'Engines',
      meta: { resourceType: 'Group' },
    },
    { displayName: 'Engines', externalId: 'guid', members: [] },
  ],
  [
    'members, each once',
    { displayName: 'Engines', members: [{ value: 'a', display: 'Ada' }, { value: 'b', $ref: null }, { value: 'a' }] },
    { displayName: 'Engines', externalId: null, members: ['a', 'b'] },
  ],
])('a group: %s', (_title, body, expected) => {
  expect(readGroup(body)).toEqual(expected);
});

test.each([[{}], [{ displayName: '' }], [{ displayName: 'x', members: [{}] }], [null]])(
  'a group is refused: %j',
  (body) => {
    expect(() => readGroup(body)).toThrow(expect.objectContaining({ status: 400 }));
  },
);
