import { type Conversation, empty, GROUP, LIST, patch, query, type Step, USER } from './conversation.ts';

const UA = { 'user-agent': 'Okta SCIM Client 1.0.0', accept: 'application/scim+json' };
const okta = (steps: readonly Step[]): Step[] =>
  steps.map((step) => ({ ...step, headers: { ...UA, ...step.headers } }));

const profile = {
  schemas: [USER],
  userName: 'grace.hopper@acme.test',
  name: { givenName: 'Grace', familyName: 'Hopper' },
  emails: [{ primary: true, value: 'grace.hopper@acme.test', type: 'work' }],
  displayName: 'Grace Hopper',
  locale: 'en-US',
  externalId: '00ujl29u0le5T6Aj10h7',
  groups: [],
  password: '1mz050nq',
  active: true,
};

const begin: Step[] = [
  {
    says: 'S1: the test of the connection',
    send: 'GET /Users?startIndex=1&count=2',
    status: 200,
    has: { schemas: [LIST], totalResults: 1, startIndex: 1, itemsPerPage: 1 },
  },
  { says: 'S2: and of groups', send: 'GET /Groups?startIndex=1&count=100', status: 200, has: empty },
  {
    says: 'S3: whether a user is there',
    send: `GET /Users?filter=${query('userName eq "grace.hopper@acme.test"')}&startIndex=1&count=100`,
    status: 200,
    has: empty,
  },
  {
    says: 'S4: a user is created',
    send: 'POST /Users',
    body: profile,
    status: 201,
    has: { userName: 'grace.hopper@acme.test', active: true, externalId: '00ujl29u0le5T6Aj10h7' },
    lacks: ['password', 'groups', 'locale'],
    keep: { grace: 'id' },
  },
  {
    says: 'S4: and again, after a time-out',
    send: 'POST /Users',
    body: profile,
    status: 409,
    has: { status: '409', scimType: 'uniqueness' },
  },
  {
    says: 'E12: the media type with a character set',
    send: `GET /Users/{grace}`,
    headers: { accept: 'application/scim+json; charset=utf-8' },
    status: 200,
    has: { id: '{grace}', name: { givenName: 'Grace', familyName: 'Hopper' } },
  },
];

const groupLife: Step[] = [
  {
    says: 'whether a group is there',
    send: `GET /Groups?filter=${query('displayName eq "Engineering"')}&startIndex=1&count=100`,
    status: 200,
    has: empty,
  },
  {
    says: 'a group is pushed',
    send: 'POST /Groups',
    body: {
      schemas: [GROUP],
      displayName: 'Engineering',
      members: [{ value: '{grace}', display: 'grace.hopper@acme.test' }],
    },
    status: 201,
    has: { displayName: 'Engineering', members: [{ value: '{grace}' }] },
    keep: { group: 'id' },
  },
  {
    says: 'S7: its name comes before each change of members',
    send: 'PATCH /Groups/{group}',
    body: patch({ op: 'replace', value: { id: '{group}', displayName: 'Engineers' } }),
    status: 200,
    has: { id: '{group}', displayName: 'Engineers', members: [{ value: '{grace}' }] },
  },
  {
    says: 'another user for it',
    send: 'POST /Users',
    body: {
      ...profile,
      userName: 'alan@acme.test',
      externalId: '00u2',
      name: { givenName: 'Alan', familyName: 'Turing' },
    },
    status: 201,
    keep: { alan: 'id' },
  },
  {
    says: 'S8: one goes and one comes in one request',
    send: 'PATCH /Groups/{group}',
    body: patch(
      { op: 'remove', path: 'members[value eq "{grace}"]' },
      { op: 'add', path: 'members', value: [{ value: '{alan}', display: 'alan@acme.test' }] },
    ),
    status: 200,
    has: { members: [{ value: '{alan}' }] },
  },
  {
    says: 'S9: all members are sent',
    send: 'PATCH /Groups/{group}',
    body: patch({ op: 'replace', path: 'members', value: [{ value: '{grace}' }] }),
    status: 200,
    has: { members: [{ value: '{grace}' }] },
  },
];

const end: Step[] = [
  { says: 'S10: the group is unlinked', send: 'DELETE /Groups/{group}', status: 204 },
  { says: 'and gone', send: 'GET /Groups/{group}', status: 404, has: { status: '404' } },
];

/** An application of the catalogue, which uses PATCH for `active` and PUT for everything else. */
const oin: Step[] = [
  {
    says: 'a profile is changed',
    send: 'PUT /Users/{grace}',
    body: {
      ...profile,
      id: '{grace}',
      name: { givenName: 'Grace Brewster', familyName: 'Hopper' },
      meta: { resourceType: 'User' },
    },
    status: 200,
    has: { id: '{grace}', name: { givenName: 'Grace Brewster' }, active: true },
  },
  {
    says: 'S5: deactivated',
    send: 'PATCH /Users/{grace}',
    body: patch({ op: 'replace', value: { active: false } }),
    status: 200,
    has: { active: false },
  },
  { says: 'E10: who is inactive is answered', send: 'GET /Users/{grace}', status: 200, has: { active: false } },
  {
    says: 'reactivated',
    send: 'PATCH /Users/{grace}',
    body: patch({ op: 'replace', value: { active: true } }),
    status: 200,
    has: { active: true, name: { givenName: 'Grace Brewster' } },
  },
];

/** A custom application, which uses PUT for everything. */
const aiw: Step[] = [
  {
    says: 'S6: deactivated',
    send: 'PUT /Users/{grace}',
    body: { ...profile, id: '{grace}', active: false },
    status: 200,
    has: { active: false, userName: 'grace.hopper@acme.test' },
  },
  {
    says: 'reactivated with another name',
    send: 'PUT /Users/{grace}',
    body: { ...profile, id: '{grace}', userName: 'grace@acme.test', displayName: 'Amazing Grace' },
    status: 200,
    has: { active: true, userName: 'grace@acme.test', displayName: 'Amazing Grace' },
  },
];

const putGroup: Step = {
  says: 'the group is sent whole',
  send: 'PUT /Groups/{group}',
  body: {
    schemas: [GROUP],
    id: '{group}',
    displayName: 'Everybody',
    members: [{ value: '{grace}' }, { value: '{alan}' }],
  },
  status: 200,
  has: { displayName: 'Everybody' },
};

export const OKTA: readonly Conversation[] = [
  { provider: 'Okta, an application of the catalogue', steps: okta([...begin, ...oin, ...groupLife, ...end]) },
  { provider: 'Okta, an application of one’s own', steps: okta([...begin, ...aiw, ...groupLife, putGroup, ...end]) },
];
