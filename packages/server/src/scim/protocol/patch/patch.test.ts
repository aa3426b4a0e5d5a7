import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../resources/json.ts';
import { applyPatch } from './patch.ts';

const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

const workEmail = { value: 'ada@work.example', type: 'work', primary: true };
const ada = {
  id: '0123456789abcdef01234567',
  externalId: 'okta-1',
  userName: 'ada@example.com',
  displayName: 'Ada L',
  name: { formatted: 'Ada Lovelace', familyName: 'Lovelace', givenName: 'Ada' },
  emails: [workEmail],
  active: true,
};
const { emails: _, ...withoutEmail } = ada;
const { externalId: __, ...withoutExternalId } = ada;

const patch = (operations: unknown, user: JsonObject = ada) =>
  applyPatch('User', user, { schemas: [PATCH_OP], Operations: operations });

/** Operations as the providers send them (RFC 7644, 3.5.2; Okta and Entra), and what they make of ada. */
test.each<[title: string, operations: object[], expected: object, from?: JsonObject]>([
  ['Okta: without a path', [{ op: 'replace', value: { active: false } }], { ...ada, active: false }],
  ['Entra: Replace with "False"', [{ op: 'Replace', path: 'active', value: 'False' }], { ...ada, active: false }],
  ['Entra: Replace with "True"', [{ op: 'Replace', path: 'active', value: 'True' }], ada, { ...ada, active: false }],
  ['Entra: "false"', [{ op: 'Replace', path: 'active', value: 'false' }], { ...ada, active: false }],
  ['Entra with its flag: a boolean', [{ op: 'replace', path: 'active', value: false }], { ...ada, active: false }],
  ['a list of one value', [{ op: 'Replace', path: 'active', value: [{ value: 'False' }] }], { ...ada, active: false }],
  [
    'Entra with its flag: dotted names and names with their schema',
    [
      {
        op: 'replace',
        value: {
          displayName: 'Countess',
          'name.givenName': 'Augusta',
          [`${USER}:name.familyName`]: 'King',
          [`${ENTERPRISE}:employeeNumber`]: '7',
          [ENTERPRISE]: { department: 'Engines' },
          'emails[type eq "work"].value': 'king@work.example',
          'addresses[type eq "work"].locality': 'London',
        },
      },
    ],
    {
      ...ada,
      displayName: 'Countess',
      name: { ...ada.name, givenName: 'Augusta', familyName: 'King' },
      emails: [{ ...workEmail, value: 'king@work.example' }],
    },
  ],
  [
    'Entra: replacing a missing address adds it',
    [{ op: 'Replace', path: 'emails[type eq "work"].value', value: 'new@work.example' }],
    { ...withoutEmail, emails: [{ type: 'work', value: 'new@work.example' }] },
    withoutEmail,
  ],
  [
    'single quotes in a path',
    [{ op: 'replace', path: "emails[type eq 'work'].value", value: 'new@work.example' }],
    { ...ada, emails: [{ ...workEmail, value: 'new@work.example' }] },
  ],
  ['add replaces a value', [{ op: 'add', path: 'userName', value: 'countess' }], { ...ada, userName: 'countess' }],
  ['names in any case', [{ OP: 'ADD', Path: 'USERNAME', Value: 'countess' }], { ...ada, userName: 'countess' }],
  ['the schema in a path', [{ op: 'add', path: `${USER}:userName`, value: 'x' }], { ...ada, userName: 'x' }],
  ['the schema as the path', [{ op: 'add', path: USER, value: { userName: 'x' } }], { ...ada, userName: 'x' }],
  [
    'deeply nested schemas are ignored',
    [{ op: 'add', value: JSON.parse(`${`{"${USER}":`.repeat(9_000)}{}${'}'.repeat(9_000)}`) as object }],
    ada,
  ],
  ['an empty path', [{ op: 'add', path: '', value: { userName: 'x' } }], { ...ada, userName: 'x' }],
  ['null removes', [{ op: 'replace', path: 'externalId', value: null }], withoutExternalId],
  ['remove', [{ op: 'Remove', path: 'externalId' }], withoutExternalId],
  ['remove a missing value', [{ op: 'remove', path: 'externalId' }], withoutExternalId, withoutExternalId],
  [
    'remove a part',
    [{ op: 'remove', path: 'name.formatted' }],
    { ...ada, name: { familyName: 'Lovelace', givenName: 'Ada' } },
  ],
  [
    'parts that are not given are kept',
    [{ op: 'replace', path: 'name', value: { GIVENNAME: 'A' } }],
    { ...ada, name: { ...ada.name, givenName: 'A' } },
  ],
  [
    'an added address takes the place of the old one',
    [{ op: 'add', path: 'emails', value: [{ value: 'new@work.example' }] }],
    { ...ada, emails: [{ ...workEmail, value: 'new@work.example' }] },
  ],
  [
    'an address of another type is added beside it',
    [{ op: 'add', path: 'emails', value: { value: 'ada@home.example', type: 'home', primary: true } }],
    {
      ...ada,
      emails: [
        { ...workEmail, primary: false },
        { value: 'ada@home.example', type: 'home', primary: true },
      ],
    },
  ],
  [
    'replace all addresses',
    [{ op: 'replace', path: 'emails', value: ['only@work.example'] }],
    { ...ada, emails: [{ value: 'only@work.example' }] },
  ],
  ['remove all addresses', [{ op: 'remove', path: 'emails' }], withoutEmail],
  ['remove by a filter', [{ op: 'remove', path: 'emails[type eq "work"]' }], withoutEmail],
  ['remove the value by a filter', [{ op: 'remove', path: 'emails[type eq "work"].value' }], withoutEmail],
  ['remove an address of another type', [{ op: 'remove', path: 'emails[type eq "home"]' }], ada],
  ['remove listed addresses', [{ op: 'remove', path: 'emails', value: [{ value: workEmail.value }] }], withoutEmail],
  ['remove listed addresses that are missing', [{ op: 'remove', path: 'emails', value: [{ value: 'x' }] }], ada],
  ['an empty list', [{ op: 'replace', path: 'emails', value: [] }], withoutEmail],
  [
    'operations are applied in order',
    [
      { op: 'remove', path: 'emails' },
      { op: 'add', path: 'emails.value', value: 'b@work.example' },
      { op: 'replace', path: 'emails[value eq "b@work.example"].primary', value: 'true' },
    ],
    { ...withoutEmail, emails: [{ value: 'b@work.example', primary: true }] },
  ],
  [
    'attributes that the hub sets itself are ignored without a path',
    [
      {
        op: 'replace',
        value: { id: 'x', schemas: [USER], meta: { location: 'x' }, groups: [], userName: 'x', nonsense: 1 },
      },
    ],
    { ...ada, userName: 'x' },
  ],
  ['attributes that are not kept are ignored', [{ op: 'add', path: 'title', value: 'Countess' }], ada],
  ['extensions are ignored', [{ op: 'add', path: `${ENTERPRISE}:department`, value: 'x' }], ada],
  [
    'parts of attributes that are not kept are ignored',
    [{ op: 'add', path: 'phoneNumbers[type eq "work"].value', value: 'x' }],
    ada,
  ],
])('a patch of a user: %s', (_title, operations, expected, from = ada) => {
  const before = structuredClone(from);
  expect(patch(operations, from)).toEqual(expected);
  expect(from).toEqual(before);
});

describe('a patch of a user is refused:', () => {
  test.each<[scimType: string, operations: unknown]>([
    ['invalidSyntax', undefined],
    ['invalidSyntax', {}],
    ['invalidSyntax', []],
    ['invalidSyntax', ['remove']],
    ['invalidSyntax', [{ path: 'userName', value: 'x' }]],
    ['invalidSyntax', [{ op: 'set', path: 'userName', value: 'x' }]],
    ['invalidSyntax', [{ op: 1, path: 'userName', value: 'x' }]],
    ['invalidPath', [{ op: 'add', path: 7, value: 'x' }]],
    ['invalidPath', [{ op: 'add', path: 'usrName', value: 'x' }]],
    ['invalidPath', [{ op: 'add', path: 'name.middle', value: 'x' }]],
    ['invalidPath', [{ op: 'add', path: 'name[givenName eq "x"].familyName', value: 'x' }]],
    ['invalidPath', [{ op: 'add', path: 'emails[type eq "work"].nothing', value: 'x' }]],
    ['invalidPath', [{ op: 'add', path: 'emails[type eq "work"', value: 'x' }]],
    ['invalidFilter', [{ op: 'add', path: 'emails[type is "work"].value', value: 'x' }]],
    ['noTarget', [{ op: 'remove' }]],
    ['noTarget', [{ op: 'remove', path: '' }]],
    ['noTarget', [{ op: 'remove', path: USER }]],
    ['noTarget', [{ op: 'replace', path: 'emails[type eq "home"].primary', value: true }]],
    ['mutability', [{ op: 'replace', path: 'id', value: 'x' }]],
    ['mutability', [{ op: 'replace', path: 'meta.created', value: 'x' }]],
    ['mutability', [{ op: 'add', path: 'schemas', value: ['x'] }]],
    ['mutability', [{ op: 'remove', path: 'userName' }]],
    ['mutability', [{ op: 'remove', path: 'active' }]],
    ['invalidValue', [{ op: 'add', path: 'userName' }]],
    ['invalidValue', [{ op: 'add', value: 'x' }]],
    ['invalidValue', [{ op: 'replace', path: 'userName', value: null }]],
    ['invalidValue', [{ op: 'replace', path: 'userName', value: '' }]],
    ['invalidValue', [{ op: 'replace', path: 'userName', value: 7 }]],
    ['invalidValue', [{ op: 'replace', path: 'userName', value: ['a', 'b'] }]],
    ['invalidValue', [{ op: 'replace', path: 'active', value: 'no' }]],
    ['invalidValue', [{ op: 'replace', path: 'active', value: null }]],
    ['invalidValue', [{ op: 'replace', path: 'name', value: 'Ada' }]],
    ['invalidValue', [{ op: 'add', path: 'emails', value: [{ type: 'work' }] }]],
  ])('%s %j', (scimType, operations) => {
    expect(() => patch(operations)).toThrow(expect.objectContaining({ status: 400, extra: { fields: { scimType } } }));
  });

  test.each([
    ['lists', `${'['.repeat(50_000)}${']'.repeat(50_000)}`],
    ['values', `${'{"value":'.repeat(50_000)}1${'}'.repeat(50_000)}`],
  ])('deeply nested %s', (_title, text) => {
    const value: unknown = JSON.parse(text);
    for (const path of ['userName', 'active', 'emails'])
      expect(() => patch([{ op: 'add', path, value }])).toThrow(expect.objectContaining({ status: 400 }));
  });

  test('a body of another schema', () => {
    const body = {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
      Operations: [{ op: 'add', value: {} }],
    };
    expect(() => applyPatch('User', ada, body)).toThrow(/PatchOp/);
  });
});
