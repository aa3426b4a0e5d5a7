import { GROUP_SCHEMA, USER_SCHEMA } from '@moonbase/contract/scim/shapes';

/**
 * What a generated request names, so that many reach something that is there. Words that begin with § stand for ids
 * that are known only once a hub is seeded, and for so many characters; they are put in when the request is sent.
 */
const times = (count: number, text: string): string[] => Array.from({ length: count }, () => text);

const ACCOUNTS = [...times(9, 'alice'), ...times(3, 'acme'), 'Alice', 'bob', 'nobody'];
const REPO_PARTS = [...times(9, 'things'), 'Things', 'more', 'new-things'];
const FULL_NAMES = [...times(4, 'alice/things'), 'acme/things', 'ALICE/Things', 'bob/things', 'alice/new-things'];
const REVISIONS = [
  ...times(4, 'dev'),
  ...times(4, 'v1'),
  'main',
  'refs/heads/dev',
  'refs/pr/2',
  'a..b',
  'x.lock',
  'new/a',
];
const WORDS = [
  'user.settings.write',
  'org.write',
  'user.webhooks.read',
  'user.webhooks.write',
  'repo.write',
  'discussion.write',
  'repo.content.read',
  'org.read',
  'org.write',
  'resourceGroup.write',
];

/** By the name of a property, with that of the list it is in or alone, or of a parameter, in braces: likely values. */
export const POOLS: Readonly<Record<string, readonly string[]>> = {
  username: ACCOUNTS,
  namespace: ACCOUNTS,
  organization: ACCOUNTS,
  user: ACCOUNTS,
  author: ACCOUNTS,
  repo: [...REPO_PARTS, 'alice/things'],
  '{file}': [...times(6, '§picture'), '65a0c0ffee00000000000001.svg', 'none.webp'],
  '{schemaId}': [...times(6, USER_SCHEMA), GROUP_SCHEMA, 'urn:none'],
  '{resourceTypeId}': [...times(6, 'User'), 'group', 'Users'],
  '{userId}': [...times(6, '§scim user'), '§webhook'],
  '{groupId}': [...times(6, '§scim group'), '§webhook'],
  groupId: [...times(6, '§scim leads'), '§scim group'],
  'Operations.op': [...times(4, 'Remove'), ...times(6, 'replace'), 'add', 'move'],
  'Operations.path': [...times(3, 'externalId'), ...times(5, 'nickName'), 'displayName', 'active', 'members', 'a['],
  linkId: [...times(6, '§scim link'), '§webhook'],
  userName: [...times(4, 'bob'), ...times(4, 'carol@acme.test'), 'alice', 'grace', 'eve'],
  '{repoType}': [...times(5, 'models'), ...times(5, 'datasets')],
  'users.user': [...times(9, 'eve'), 'alice', 'bob', 'nobody'],
  role: [...times(6, 'read'), 'write', 'guest', 'Guest', 'admin', 'fineGrained', 'boss'],
  '{role}': [...times(6, 'guest'), 'GUEST', 'admin'],
  resourceGroupId: [...times(14, '§group'), '§webhook'],
  'users.name': [...times(6, 'eve'), ...times(4, 'bob'), ...times(4, 'carol'), 'alice', 'dave', 'acme', 'api'],
  '{name}': [...times(6, 'acme'), 'ACME', 'gone', 'alice', 'nobody'],
  '{username}': [...times(6, 'alice'), ...times(5, 'bob'), 'acme', 'Alice', 'nobody'],
  '{id}': [...times(6, '§dead letter'), '§webhook'],
  tokenId: [...times(6, '§token'), '§webhook'],
  invitationId: [...times(6, '§invitation'), '§webhook'],
  credentials: ['hf_tokenOfbob00', 'hf_unknown'],
  'organizations.name': [...times(4, 'acme'), ...times(4, 'tools'), 'Acme', 'bob'],
  'members.user': ['alice', 'alice', 'bob', 'bob', 'carol'],
  'repos.name': FULL_NAMES,
  'tokens.name': ['test', 'another'],
  'watched.name': [...times(7, 'alice/things'), 'acme/things', 'alice', 'acme'],
  name: [...ACCOUNTS, ...FULL_NAMES, ...FULL_NAMES, ...REPO_PARTS, 'test'],
  'add.id': [...ACCOUNTS, ...FULL_NAMES, 'datasets/alice/things'],
  'delete.id': [...ACCOUNTS, ...FULL_NAMES],
  'spaceTools.name': FULL_NAMES,
  fromRepo: FULL_NAMES,
  toRepo: FULL_NAMES,
  source: FULL_NAMES,
  jobId: [...times(8, '§job'), '§webhook'],
  dockerImage: [...times(6, 'python:3.12'), 'localhost:5000/acme/train', 'python 3'],
  spaceId: FULL_NAMES,
  mountPath: [...times(4, '/data'), '/models', '/', '/../etc'],
  schedule: [...times(6, '@hourly'), '0 9 * * 1', '0 0 30 2 *'],
  webhookId: [...times(6, '§webhook'), '§second', '§second', '§foreign', '§log of webhook'],
  logId: [...times(6, '§log of webhook'), '§log of second', '§log of foreign', '§webhook'],
  streamId: [...times(6, '§stream'), ...times(3, '§second stream'), '§foreign stream', '§webhook'],
  deliveryId: [...times(6, '§delivery of stream'), '§log of foreign', '§webhook'],
  replayId: [...times(6, '§replay of webhook'), '§replay of second', '§webhook'],
  commentId: [...times(6, '§comment'), '§webhook'],
  paperId: [...times(6, '2401.01234'), '§paper', '2401.99999'],
  postSlug: [...times(6, 'hello'), 'Hello', 'none'],
  slug: [...times(6, 'long-read'), 'hello', 'none'],
  claimId: [...times(6, '§claim'), '§webhook'],
  claimAuthorId: [...times(4, '§free'), '§taken', '§webhook'],
  targetUserId: [...times(4, '§alice'), '§bob', '§webhook'],
  num: ['1', '1', '2', '2', ...times(4, '3'), '4', '4', '4', '9', '999999999'],
  rev: REVISIONS,
  tag: REVISIONS,
  startingPoint: REVISIONS,
  '{token}': [...times(6, '§unsubscribe'), 'x', 'a.b.c'],
  token: [...times(6, 'hf_tokenOfbob00'), 'hf_tokenOfalice00', 'hf_unknown'],
  cursor: ['§cursor of webhook', '§cursor of second', 'AAAA'],
  q: ['author:alice', 'type:repo.*', '-type:org.create ip:127.0.0.1', 'author:"al ice"', 'type:nothing', 'ip:x'],
  _id: ['§webhook'],
  permissions: WORDS,
  global: WORDS,
};

/** Addresses of this machine where nothing listens, and texts that are no address to call. */
export const URLS = [
  ...times(8, 'http://127.0.0.1:9/hook'),
  'http://127.0.0.1:9/',
  'http://127.0.0.1:9/hook?a=1#b',
  'http://localhost:9/é',
  'https://127.0.0.1/',
  'http://[::1]:9/',
  'http://127.1:9',
  'http://user:password@127.0.0.1:9/',
  'http://127.0.0.1:9/\u0001',
  'http://./',
  'ftp://127.0.0.1/',
  'data:text/plain,hello',
];

export const EMAILS = ['a@b.co', 'alice+tag@example.com', `${'x'.repeat(300)}@example.com`] as const;
