import type { RouteDeclaration } from '@moonbase/contract/route';
import { createIds } from '../../src/platform/ids.ts';
import { createTestClock } from '../clock.ts';
import { startHub, type TestHub, tokenOf } from '../harness.ts';
import { createTestRunner } from '../test-runner.ts';
import { SECRET_KEY } from '../unsubscribe-token.ts';
import { countingOutbound } from './counting-outbound.ts';
import {
  DOCUMENT,
  FINE_GRAINED,
  READER,
  seedDeadLetter,
  seedDiscussions,
  seedGroups,
  seedJobs,
  seedOrganizations,
  seedPicture,
  seedRefs,
  seedReplays,
  seedScim,
  seedStreams,
  seedThreads,
  seedUnsubscribing,
  seedWebhooks,
} from './seeds.ts';
import { longText } from './texts.ts';

/** Who may send a generated request instead of the one whom its route is for. */
export const CALLERS = ['reader', 'fineGrained', 'bob', 'admin', 'alice', 'nobody', 'unknown', 'garbled'] as const;
export type CallerKind = (typeof CALLERS)[number];

/** A hub with something of everything in it, and what its ids turned out to be. */
export interface World extends AsyncDisposable {
  readonly hub: TestHub;
  /** What stands for a word that begins with §; other texts are given back. */
  resolve(text: string, params?: Readonly<Record<string, string>>): string;
  authorization(kind: CallerKind): string | undefined;
  /** How many deliveries were sent. */
  sent(): number;
}

/** Starts a hub whose ids and clock are the same each time, and seeds it with what the route is about. */
export async function startWorld(route: RouteDeclaration): Promise<World> {
  const clock = createTestClock();
  const outbound = countingOutbound();
  const hub = await startHub(
    { MOONBASE_SECRET_KEY: SECRET_KEY },
    { clock, outbound, runner: createTestRunner(), ids: createIds(clock, Buffer.alloc(8)) },
  );
  await hub.apply(DOCUMENT);
  const alice = hub.as('alice');
  const words = new Map<string, string>();
  if (route.path.includes('{num}')) await seedDiscussions(alice, words);
  if (route.path.includes('{file}')) await seedPicture(alice, words);
  if (/resource-group|roles|scim\/links/.test(route.path)) await seedGroups(alice, words);
  if (route.path.includes('/scim')) await seedScim(alice, words);
  if (route.path.includes('{rev}')) await seedRefs(alice);
  if (/papers|posts|blog/.test(route.path)) await seedThreads(hub, words);
  if (route.path.includes('{token}')) await seedUnsubscribing(alice, words);
  if (/organizations|(?:settings|users\/\{username\})\/(?:tokens|invitations)/.test(route.path))
    await seedOrganizations(hub, words, route.path.startsWith('/api/settings/'));
  if (route.path.includes('{jobId}')) await seedJobs(alice, words, route.path);
  const aboutWebhooks = route.path.includes('{webhookId}');
  if (!aboutWebhooks) await hub.drain();
  await seedWebhooks(hub, words, aboutWebhooks);
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
    authorization: (kind) => tokens[kind],
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
