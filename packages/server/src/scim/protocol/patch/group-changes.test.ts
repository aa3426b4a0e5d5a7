import { describe, expect, test } from 'vitest';
import { groupChanges } from './group-changes.ts';

const changes = (...Operations: unknown[]) => groupChanges({ Operations });

/** Operations as Okta and Entra send them. */
test.each<[title: string, operations: object[], expected: object]>([
  [
    'Okta: the name comes with the id',
    [{ op: 'replace', value: { id: 'g', displayName: 'Engines' } }],
    { displayName: 'Engines', members: [] },
  ],
  [
    'Okta: remove and add in one request',
    [
      { op: 'remove', path: 'members[value eq "a"]' },
      { op: 'add', path: 'members', value: [{ value: 'b', display: 'Bob' }] },
    ],
    {
      members: [
        { op: 'remove', ids: ['a'] },
        { op: 'add', ids: ['b'] },
      ],
    },
  ],
  [
    'Okta: the whole list',
    [{ op: 'replace', path: 'members', value: [{ value: 'a' }, { value: 'b' }, { value: 'a' }] }],
    { members: [{ op: 'replace', ids: ['a', 'b'] }] },
  ],
  [
    'Entra: add with $ref null',
    [{ op: 'Add', path: 'members', value: [{ $ref: null, value: 'a' }] }],
    { members: [{ op: 'add', ids: ['a'] }] },
  ],
  [
    'Entra: remove with a list of values',
    [{ op: 'Remove', path: 'members', value: [{ value: 'a' }, { $ref: null, value: 'b' }] }],
    { members: [{ op: 'remove', ids: ['a', 'b'] }] },
  ],
  [
    'Entra with its flag: remove by a filter',
    [{ op: 'remove', path: 'members[value eq "a"]' }],
    { members: [{ op: 'remove', ids: ['a'] }] },
  ],
  [
    'several members in a filter',
    [{ op: 'remove', path: 'members[value eq "a" or value eq "b"]' }],
    { members: [{ op: 'remove', ids: ['a', 'b'] }] },
  ],
  ['remove all members', [{ op: 'remove', path: 'members' }], { members: [{ op: 'replace', ids: [] }] }],
  ['a single value', [{ op: 'add', path: 'members', value: { value: 'a' } }], { members: [{ op: 'add', ids: ['a'] }] }],
  ['ids without objects', [{ op: 'add', path: 'members', value: ['a'] }], { members: [{ op: 'add', ids: ['a'] }] }],
  [
    'names in any case',
    [{ OP: 'ADD', PATH: 'Members', VALUE: [{ Value: 'a' }] }],
    { members: [{ op: 'add', ids: ['a'] }] },
  ],
  [
    'Entra: name and externalId',
    [
      { op: 'Replace', path: 'displayName', value: 'Engines' },
      { op: 'Add', path: 'externalId', value: 'e-1' },
    ],
    { displayName: 'Engines', externalId: 'e-1', members: [] },
  ],
  ['remove externalId', [{ op: 'remove', path: 'externalId' }], { externalId: null, members: [] }],
  [
    'members without a path',
    [{ op: 'add', value: { members: [{ value: 'a' }], externalId: 'e-1' } }],
    { externalId: 'e-1', members: [{ op: 'add', ids: ['a'] }] },
  ],
  [
    'the schema in a path',
    [{ op: 'add', path: 'urn:ietf:params:scim:schemas:core:2.0:Group:members', value: [{ value: 'a' }] }],
    { members: [{ op: 'add', ids: ['a'] }] },
  ],
  [
    'replace one member by another',
    [{ op: 'replace', path: 'members[value eq "a"].value', value: 'b' }],
    {
      members: [
        { op: 'remove', ids: ['a'] },
        { op: 'add', ids: ['b'] },
      ],
    },
  ],
  [
    'an attribute that is not kept',
    [{ op: 'add', path: 'urn:ietf:params:scim:schemas:extension:x:Group:owner', value: 'b' }],
    { members: [] },
  ],
])('a patch of a group: %s', (_title, operations, expected) => {
  expect(changes(...operations)).toEqual(expected);
});

describe('a patch of a group is refused:', () => {
  test.each<[scimType: string, operation: object]>([
    ['invalidSyntax', { op: 'drop', path: 'members' }],
    ['invalidPath', { op: 'add', path: 'owners', value: [] }],
    ['invalidPath', { op: 'remove', path: 'members[value sw "a"]' }],
    ['invalidPath', { op: 'remove', path: 'members[not (value eq "a")]' }],
    ['invalidFilter', { op: 'remove', path: 'members[value eq ]' }],
    ['mutability', { op: 'remove', path: 'displayName' }],
    ['mutability', { op: 'replace', path: 'id', value: 'x' }],
    ['noTarget', { op: 'remove' }],
    ['invalidValue', { op: 'replace', value: [] }],
    ['invalidValue', { op: 'replace', path: 'displayName', value: '' }],
    ['invalidValue', { op: 'add', path: 'members', value: [{ $ref: null }] }],
    ['invalidValue', { op: 'add', path: 'members', value: [7] }],
  ])('%s %j', (scimType, operation) => {
    expect(() => changes(operation)).toThrow(expect.objectContaining({ status: 400, extra: { fields: { scimType } } }));
  });
});
