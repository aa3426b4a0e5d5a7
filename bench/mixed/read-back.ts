import { getDiscussion, listDiscussions } from '@moonbase/client/discussions';
import { getRepo, listRefs } from '@moonbase/client/repositories';
import { listScimUsers } from '@moonbase/client/scim';
import type { Connection } from '../hub.ts';
import { branchKey, commentKey, discussionKey, patchKey, settingsKey, userKey } from './changes.ts';
import type { Fixture } from './plan.ts';

/** Returns the keys of all changes that the hub has, read over its API. */
export async function readBack(hub: Connection, fixture: Fixture, settings: readonly string[]): Promise<Set<string>> {
  const keys = new Set<string>();
  for (const repo of fixture.repos) {
    const of = { ...hub, type: 'model', repo } as const;
    for (const { name } of (await listRefs(of)).branches) keys.add(branchKey(repo, name));
    for (let page = 0, more = true; more; page++) {
      const { discussions, count, start } = await listDiscussions({ ...of, page });
      for (const { title } of discussions) keys.add(discussionKey(repo, title));
      more = start + discussions.length < count;
    }
    for (const event of (await getDiscussion({ ...of, num: 1 })).events)
      if (event.type === 'comment') keys.add(commentKey(repo, event.data.latest.raw));
  }
  for (const repo of settings) {
    const { gated } = await getRepo({ ...hub, type: 'model', repo, expand: ['gated'] });
    if (gated === 'auto') keys.add(settingsKey(repo));
  }
  for (let startIndex = 1, more = true; more; ) {
    const page = await listScimUsers({ ...hub, name: fixture.provisioned, startIndex, count: 1000 });
    for (const { userName, name } of page.Resources) {
      keys.add(userKey(userName));
      if (name?.givenName === 'Patched') keys.add(patchKey(userName));
    }
    startIndex += page.Resources.length;
    more = page.Resources.length > 0 && startIndex <= page.totalResults;
  }
  return keys;
}
