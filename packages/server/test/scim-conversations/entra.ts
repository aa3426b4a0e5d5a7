import { type Conversation, empty, GROUP, patch, query, type Step, USER } from './conversation.ts';

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const OBJECT_ID = '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef';

const begin: Step[] = [
  {
    says: 'E11: the test of the connection asks for nobody',
    send: `GET /Users?filter=${query('userName eq "b7b4a0e4-6b5a-44c9-b36e-1b1d8f5a8a3d"')}`,
    status: 200,
    has: empty,
  },
  {
    says: 'whether a user is there, by the object id',
    send: `GET /Users?filter=${query(`externalId eq "${OBJECT_ID}"`)}`,
    status: 200,
    has: empty,
  },
  {
    says: 'a user is created',
    send: 'POST /Users',
    body: {
      schemas: [USER, ENTERPRISE],
      externalId: OBJECT_ID,
      userName: 'graceh',
      active: true,
      displayName: 'Grace Hopper',
      emails: [{ primary: true, type: 'work', value: 'grace@acme.test' }],
      meta: { resourceType: 'User' },
      name: { formatted: 'Grace Hopper', familyName: 'Hopper', givenName: 'Grace' },
      [ENTERPRISE]: { department: 'Navy' },
    },
    status: 201,
    has: { userName: 'graceh', externalId: OBJECT_ID, active: true, schemas: [USER] },
    lacks: [ENTERPRISE],
    keep: { grace: 'id' },
  },
  {
    says: 'E9: two attributes at once',
    send: `GET /Users?filter=${query(`externalId eq "${OBJECT_ID}" and userName eq "GraceH"`)}`,
    status: 200,
    has: { totalResults: 1 },
  },
  {
    says: 'another user',
    send: 'POST /Users',
    body: {
      schemas: [USER],
      userName: 'alant',
      externalId: 'o2',
      active: 'True',
      name: { givenName: 'Alan', familyName: 'Turing' },
    },
    status: 201,
    has: { active: true, emails: [] },
    keep: { alan: 'id' },
  },
];

const group = (flag: boolean): Step[] => [
  {
    says: 'E7: a group with a schema of Entra and no members',
    send: 'POST /Groups',
    body: {
      schemas: [GROUP, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
      externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159',
      displayName: 'Navy',
      meta: { resourceType: 'Group' },
    },
    status: 201,
    has: { displayName: 'Navy', members: [] },
    keep: { group: 'id' },
  },
  {
    says: 'E8: without its members',
    send: `GET /Groups?excludedAttributes=members&filter=${query('displayName eq "Navy"')}`,
    status: 200,
    has: { totalResults: 1, Resources: [{ id: '{group}' }] },
    lacks: ['Resources.0.members'],
  },
  {
    says: 'and by its id',
    send: 'GET /Groups/{group}?excludedAttributes=members',
    status: 200,
    has: { id: '{group}' },
    lacks: ['members'],
  },
  {
    says: 'E6: a member with no reference',
    send: 'PATCH /Groups/{group}',
    body: patch({
      op: 'Add',
      path: 'members',
      value: [
        { $ref: null, value: '{grace}' },
        { $ref: null, value: '{alan}' },
      ],
    }),
    status: 200,
    has: { id: '{group}' },
  },
  flag
    ? {
        says: 'E5: a member goes, by its path',
        send: 'PATCH /Groups/{group}',
        body: patch({ op: 'remove', path: 'members[value eq "{grace}"]' }),
        status: 200,
        has: { members: [{ value: '{alan}' }] },
      }
    : {
        says: 'E5: a member goes, by a list',
        send: 'PATCH /Groups/{group}',
        body: patch({ op: 'Remove', path: 'members', value: [{ $ref: null, value: '{grace}' }] }),
        status: 200,
        has: { members: [{ value: '{alan}' }] },
      },
  {
    says: 'the group is renamed',
    send: 'PATCH /Groups/{group}',
    body: patch({ op: 'Replace', path: 'displayName', value: 'Fleet' }),
    status: 200,
    has: { displayName: 'Fleet', members: [{ value: '{alan}' }] },
  },
  { says: 'the group is deleted', send: 'DELETE /Groups/{group}', status: 204 },
];

const plain: Step[] = [
  {
    says: 'E1: disabled by a text',
    send: 'PATCH /Users/{grace}',
    body: patch({ op: 'Replace', path: 'active', value: 'False' }),
    status: 200,
    has: { active: false },
  },
  {
    says: 'E1: enabled by a text',
    send: 'PATCH /Users/{grace}',
    body: patch({ op: 'Replace', path: 'active', value: 'True' }),
    status: 200,
    has: { active: true },
  },
  {
    says: 'several attributes, one operation each',
    send: 'PATCH /Users/{grace}',
    body: patch(
      { op: 'Replace', path: 'displayName', value: 'Amazing Grace' },
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'amazing@acme.test' },
      { op: 'Replace', path: 'name.familyName', value: 'Murray' },
      { op: 'Add', path: `${ENTERPRISE}:department`, value: 'Fleet' },
    ),
    status: 200,
    has: { displayName: 'Amazing Grace', emails: [{ value: 'amazing@acme.test' }], name: { familyName: 'Murray' } },
  },
];

const flagged: Step[] = [
  {
    says: 'E2: disabled',
    send: 'PATCH /Users/{grace}',
    body: patch({ op: 'replace', path: 'active', value: false }),
    status: 200,
    has: { active: false },
  },
  {
    says: 'E3: several attributes without a path, by dotted and full names',
    send: 'PATCH /Users/{grace}',
    body: patch({
      op: 'replace',
      value: {
        active: true,
        displayName: 'Amazing Grace',
        'name.givenName': 'Amazing',
        'name.familyName': 'Murray',
        'emails[type eq "work"].value': 'amazing@acme.test',
        [`${ENTERPRISE}:employeeNumber`]: '7',
        [`${USER}:externalId`]: 'o1',
      },
    }),
    status: 200,
    has: {
      active: true,
      displayName: 'Amazing Grace',
      externalId: 'o1',
      name: { givenName: 'Amazing', familyName: 'Murray' },
      emails: [{ value: 'amazing@acme.test' }],
    },
  },
];

const end: Step[] = [
  {
    says: 'E4: an address where there was none',
    send: 'PATCH /Users/{alan}',
    body: patch({ op: 'Replace', path: 'emails[type eq "work"].value', value: 'alan@acme.test' }),
    status: 200,
    has: { emails: [{ value: 'alan@acme.test', type: 'work' }] },
  },
  {
    says: 'E14: in single quotes',
    send: 'PATCH /Users/{alan}',
    body: patch({ op: 'replace', path: "emails[type eq 'work'].value", value: 'turing@acme.test' }),
    status: 200,
    has: { emails: [{ value: 'turing@acme.test' }] },
  },
  {
    says: 'E13: a name that another has',
    send: 'PATCH /Users/{alan}',
    body: patch({ op: 'Replace', path: 'userName', value: 'GraceH' }),
    status: 409,
    has: { status: '409', scimType: 'uniqueness' },
  },
  { says: 'E13: and nothing has changed', send: 'GET /Users/{alan}', status: 200, has: { userName: 'alant' } },
  { says: 'E10: a user is deleted', send: 'DELETE /Users/{grace}', status: 204 },
  { says: 'E10: and not there', send: 'GET /Users/{grace}', status: 404, has: { status: '404' } },
  {
    says: 'E15: a schema by its name',
    send: `GET /Schemas/${USER}`,
    headers: { accept: 'application/scim+json' },
    status: 200,
    has: { id: USER },
  },
  { says: 'E15: discovery takes no POST', send: 'POST /Schemas', body: {}, status: 405, has: { status: '405' } },
];

export const ENTRA: readonly Conversation[] = [
  { provider: 'Entra ID', steps: [...begin, ...plain, ...group(false), ...end] },
  { provider: 'Entra ID with aadOptscim062020', steps: [...begin, ...flagged, ...group(true), ...end] },
];
