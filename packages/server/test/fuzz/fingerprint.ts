import type { RouteDeclaration } from '@moonbase/contract/route';
import { contractFetch } from '../contract-fetch.ts';
import type { World } from './world.ts';

type Read = { readonly caller: 'alice' | 'bob'; readonly path: string };

/** Every change of a repository or discussion is an event with a log entry; threads are read directly. */
const READS: readonly Read[] = [
  { caller: 'alice', path: '/api/settings/webhooks' },
  { caller: 'alice', path: '/api/settings/webhooks/§webhook/logs?limit=10' },
  { caller: 'alice', path: '/api/users/alice/overview' },
  { caller: 'alice', path: '/api/papers/2401.01234?field=comments' },
  { caller: 'alice', path: '/api/posts/alice/hello' },
  { caller: 'alice', path: '/api/blog/long-read' },
];
const ADMIN_READS: readonly Read[] = [
  { caller: 'alice', path: '/api/whoami-v2' },
  { caller: 'alice', path: '/api/organizations/acme/overview' },
  { caller: 'bob', path: '/api/users/bob/overview' },
];

/** Returns the visible state of a hub, checked against the contract; requests without effect leave it unchanged. */
export async function fingerprint(world: World, route: RouteDeclaration): Promise<string> {
  await world.hub.drain();
  const shown: string[] = [`${world.sent()} deliveries sent`];
  for (const { caller, path } of route.tags.some((tag) => tag === 'admin' || tag === 'orgs')
    ? [...READS, ...ADMIN_READS]
    : READS) {
    const url = world.hub.url + path.replace('§webhook', world.resolve('§webhook'));
    const answer = await contractFetch(url, { headers: world.callerHeaders(caller) });
    shown.push(`${caller} ${path}: ${answer.status} ${await answer.text()}`);
  }
  return shown.join('\n');
}
