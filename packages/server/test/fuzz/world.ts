import type { RouteDeclaration } from '@moonbase/contract/route';
import { createIds } from '../../src/platform/ids.ts';
import { createTestClock } from '../clock.ts';
import { startHub, type TestHub, tokenOf } from '../harness.ts';
import { plainHashing } from '../plain-hashing.ts';
import { createTestRunner } from '../test-runner.ts';
import { SECRET_KEY } from '../unsubscribe-token.ts';
import { countingOutbound } from './counting-outbound.ts';
import { seedCollections } from './seed-collections.ts';
import {
  seedEmail,
  seedOauth,
  seedProvider,
  seedPublisher,
  seedSecondFactor,
  seedSignIn,
  seedUnsubscribing,
} from './seed-sign-in.ts';
import {
  DOCUMENT,
  FINE_GRAINED,
  READER,
  seedBucket,
  seedDeadLetter,
  seedDiscussions,
  seedGroups,
  seedJobs,
  seedLargeFile,
  seedLocks,
  seedMirror,
  seedOrganizations,
  seedPicture,
  seedRefs,
  seedReplays,
  seedRepoId,
  seedScim,
  seedSpaces,
  seedStreams,
  seedThreads,
  seedWebhooks,
} from './seeds.ts';
import { longText } from './texts.ts';

/** The callers who may send a generated request in place of the one whom its route is for. */
export const CALLERS = [
  'reader',
  'fineGrained',
  'bob',
  'admin',
  'alice',
  'nobody',
  'unknown',
  'garbled',
  'browser',
  'application',
] as const;
export type CallerKind = (typeof CALLERS)[number];

/** A hub with one item of each kind, and the ids of these items. */
export interface World extends AsyncDisposable {
  readonly hub: TestHub;
  /** Returns the value of a word that begins with §, and other texts unchanged. */
  resolve(text: string, params?: Readonly<Record<string, string>>): string;
  /** Returns the headers that authenticate a caller of this kind. */
  callerHeaders(kind: CallerKind): Readonly<Record<string, string>>;
  /** Returns the number of sent deliveries. */
  sent(): number;
}

/** The operations that need a hub that mails links. */
const MAILS_LINKS = new Set(['confirmEmail', 'requestReset', 'setEmail', 'signUp']);
const MAIL = {
  MOONBASE_SMTP_URL: 'smtp://127.0.0.1:1',
  MOONBASE_MAIL_FROM: 'hub@example.com',
  MOONBASE_PUBLIC_URL: 'https://hub.example.com',
  MOONBASE_SIGN_UP: 'example.com',
};

/** Starts a hub whose ids and clock are the same each time, with seeds for the route. */
export async function startWorld(route: RouteDeclaration): Promise<World> {
  const clock = createTestClock();
  const outbound = countingOutbound();
  const hub = await startHub(
    {
      ...{ MOONBASE_SECRET_KEY: SECRET_KEY, ...(MAILS_LINKS.has(route.id) && MAIL) },
      // The link then gives the cookie of a first step, in which the second factor is set up.
      ...(route.id === 'setUpSecondFactor' && { MOONBASE_SECOND_FACTOR: 'all' }),
    },
    { clock, outbound, runner: createTestRunner(), ids: createIds(clock, Buffer.alloc(8)), hashing: plainHashing },
  );
  await hub.apply(DOCUMENT);
  const alice = hub.as('alice');
  const words = new Map<string, string>();
  if (route.path.includes('{num}')) await seedDiscussions(alice, words);
  if (route.path.includes('{file}')) await seedPicture(alice, words);
  if (/resource-group|roles|scim\/links/.test(route.path)) await seedGroups(alice, words);
  if (route.path.includes('/scim')) await seedScim(alice, words);
  if (route.path.includes('{rev}')) await seedRefs(alice);
  if (route.path.includes('buckets/{namespace}/{repo}/')) await seedBucket(alice);
  if (/papers|posts|blog/.test(route.path)) await seedThreads(hub, words);
  if (route.id === 'maintainRepoById') await seedRepoId(hub, words);
  if (/\/mirror/.test(route.path) && route.id !== 'createMirror') await seedMirror(hub, words);
  if (route.path.includes('/spaces/{')) await seedSpaces(hub);
  if (/large-files|lfs/.test(route.path)) await seedLargeFile(hub, words, route.method);
  if (route.path.includes('/lfs/locks')) await seedLocks(alice, words);
  if (route.path.includes('/collections')) await seedCollections(hub, words);
  if (route.path.includes('{token}')) await seedUnsubscribing(alice, words);
  if (/organizations|(?:settings|users\/\{username\})\/(?:tokens|invitations)/.test(route.path))
    await seedOrganizations(hub, words, route.path.startsWith('/api/settings/'));
  if (route.path.endsWith('/single-sign-on')) await seedProvider(hub);
  if (route.path.includes('{jobId}')) await seedJobs(alice, words, route.path);
  const aboutWebhooks = route.path.includes('{webhookId}');
  if (!aboutWebhooks) await hub.drain();
  await seedWebhooks(hub, words, aboutWebhooks);
  if (
    /sign-in|second-factors|links|sessions|password|email|oauth|grants|identities|trusted-publishers/.test(route.path)
  )
    await seedSignIn(hub, words);
  if (/second-factor/.test(route.path) && route.id !== 'setUpSecondFactor')
    await seedSecondFactor(hub, words, route.id !== 'confirmSecondFactor');
  if (route.path.includes('{publisherId}')) await seedPublisher(hub, words);
  if (route.id === 'confirmEmail') await seedEmail(hub, words);
  if (/oauth|applications|grants/.test(route.path)) await seedOauth(hub, words);
  if (route.path.includes('/dead-letters/')) await seedDeadLetter(hub, words);
  if (route.path.includes('{streamId}')) await seedStreams(hub, words);
  if (route.path.includes('{replayId}')) await seedReplays(alice, words);
  if (aboutWebhooks) await hub.drain();
  const tokens: Partial<Record<CallerKind, string>> = {
    reader: `Bearer ${READER}`,
    fineGrained: `Bearer ${FINE_GRAINED}`,
    bob: `Bearer ${tokenOf('bob')}`,
    admin: `Bearer ${hub.admin.accessToken}`,
    alice: `Bearer ${tokenOf('alice')}`,
    unknown: 'Bearer hf_nobodyHasThisToken',
    garbled: 'Basic %zz',
  };
  return {
    hub,
    resolve: (text, params) =>
      /^§\d+$/.test(text) ? longText(Number(text.slice(1))) : (words.get(commentWord(text, params)) ?? text),
    callerHeaders(kind) {
      const cookie = words.get('§cookie');
      const application = words.get('§application');
      if (kind === 'application' && application !== undefined) return { authorization: `Bearer ${application}` };
      if (kind === 'browser' && cookie !== undefined) return { cookie, 'sec-fetch-site': 'same-origin' };
      const authorization = tokens[kind];
      return authorization === undefined ? {} : { authorization };
    },
    sent: () => outbound.sent(),
    [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose](),
  };
}

function commentWord(text: string, params: Readonly<Record<string, string>> = {}): string {
  if (text !== '§comment') return text;
  if ('paperId' in params) return '§comment of paper';
  if ('slug' in params) return '§comment of article';
  return 'postSlug' in params ? '§comment of post' : `§comment of ${params.repoType} ${params.num}`;
}
