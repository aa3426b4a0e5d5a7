import { changeDiscussionStatus, commentDiscussion, createDiscussion, editComment } from '@moonbase/client/discussions';
import { deleteNotifications } from '@moonbase/client/notifications';
import { createRepo, updateRepoSettings } from '@moonbase/client/repositories';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFanOut } from '../src/notifications/fan-out/fan-out.ts';
import { createInboxes } from '../src/notifications/inbox/inboxes.ts';
import type { QueueMails } from '../src/notifications/index.ts';
import { createSignals } from '../src/platform/queue/signals.ts';
import { discussionTopic } from '../src/repositories/index.ts';
import { vouchedAddresses } from '../src/scim/index.ts';
import type { DecidingKey } from '../src/settings/index.ts';
import { person } from './harness.ts';
import { type InboxHub, startInboxHub } from './inbox-hub.ts';
import { testTexts } from './texts.ts';

/**
 * The recipients of alice's action in a discussion that bob opened in a repository of the organization acme. A blank
 * role means that the user is not a member; a blank setting means that all are on. `list` and `mail` are the expected
 * notifications. A `private` repository becomes private just before alice acts, after all earlier actions of the user.
 */
const TABLE = `
what       | the user                | role        | repository | muted  | off                               | list | mail
comment    | has nothing to do       |             | public     |        |                                   | no   |
comment    | has nothing to do       | read        | public     |        |                                   | no   |
comment    | has nothing to do       | admin       | private    |        |                                   | no   |
comment    | joined the owner        | read        | public     |        |                                   | yes  | discussions_watched
comment    | joined the owner        | read        | private    |        |                                   | yes  | discussions_watched
comment    | joined the owner        | no_access   | public     |        |                                   | no   |
comment    | joined the owner        | read        | private    | repo   |                                   | no   |
comment    | joined the owner        | write       | public     |        | web_discussions_watched           | no   | discussions_watched
discussion | joined the owner        | contributor | private    |        |                                   | yes  | discussions_watched
comment    | watches the repository  |             | public     |        |                                   | yes  | discussions_watched
comment    | watches the repository  | read        | public     |        |                                   | yes  | discussions_watched
comment    | watches the repository  | read        | private    |        |                                   | yes  | discussions_watched
comment    | watches the repository  | contributor | private    |        |                                   | yes  | discussions_watched
comment    | watches the repository  | write       | private    |        |                                   | yes  | discussions_watched
comment    | watches the repository  | admin       | private    |        |                                   | yes  | discussions_watched
comment    | watches the repository  | no_access   | public     |        |                                   | yes  | discussions_watched
comment    | watches the repository  | no_access   | private    |        |                                   | no   |
comment    | watches the repository  |             | private    |        |                                   | no   |
comment    | watches the repository  | read        | public     | repo   |                                   | no   |
comment    | watches the repository  | read        | public     | thread |                                   | no   |
comment    | watches the repository  | read        | public     |        | web_discussions_watched           | no   | discussions_watched
comment    | watches the repository  | read        | public     |        | discussions_watched               | yes  |
comment    | watches the repository  | read        | public     |        | web_discussions_participating     | yes  | discussions_watched
comment    | watches the repository  | read        | public     |        | discussions_participating         | yes  | discussions_watched
comment    | watches the repository  | read        | public     |        | web_posts_participating           | yes  | discussions_watched
comment    | watches the owner       |             | public     |        |                                   | yes  | discussions_watched
comment    | watches the owner       | read        | private    |        |                                   | yes  | discussions_watched
comment    | watches the owner       |             | private    |        |                                   | no   |
comment    | watches the owner       | no_access   | private    |        |                                   | no   |
comment    | watches the owner       | read        | public     | repo   |                                   | no   |
comment    | watches the owner       | read        | public     | thread |                                   | no   |
comment    | watches both            | read        | public     |        |                                   | yes  | discussions_watched
comment    | wrote before            |             | public     |        |                                   | yes  | discussions_participating
comment    | wrote before            | read        | private    |        |                                   | yes  | discussions_participating
comment    | wrote before            |             | private    |        |                                   | no   |
comment    | wrote before            | no_access   | private    |        |                                   | no   |
comment    | wrote before            |             | public     | repo   |                                   | yes  | discussions_participating
comment    | wrote before            |             | public     | thread |                                   | no   |
comment    | wrote before            |             | public     |        | web_discussions_participating     | no   | discussions_participating
comment    | wrote before            |             | public     |        | discussions_participating         | yes  |
comment    | wrote before            |             | public     |        | web_discussions_watched           | yes  | discussions_participating
comment    | wrote before            |             | public     |        | discussions_watched               | yes  | discussions_participating
comment    | wrote before            |             | public     |        | web_discussions_participating,discussions_participating | no | 
comment    | wrote and watches       |             | public     |        |                                   | yes  | discussions_participating
comment    | wrote and watches       |             | public     |        | web_discussions_participating     | no   | discussions_participating
comment    | wrote and watches       |             | public     |        | web_discussions_watched           | yes  | discussions_participating
comment    | wrote and watches       |             | public     |        | discussions_watched               | yes  | discussions_participating
comment    | wrote and watches       |             | public     | repo   |                                   | yes  | discussions_participating
comment    | closed it before        | write       | public     |        |                                   | yes  | discussions_participating
comment    | was mentioned before    |             | public     |        |                                   | yes  | discussions_participating
comment    | was mentioned before    |             | private    |        |                                   | no   |
comment    | was mentioned before    |             | public     | repo   |                                   | yes  | discussions_participating
comment    | was mentioned before    |             | public     | thread |                                   | no   |
mention    | has nothing to do       |             | public     |        |                                   | yes  | discussions_participating
mention    | has nothing to do       | read        | private    |        |                                   | yes  | discussions_participating
mention    | has nothing to do       |             | private    |        |                                   | no   |
mention    | has nothing to do       | no_access   | private    |        |                                   | no   |
mention    | has nothing to do       |             | public     | repo   |                                   | yes  | discussions_participating
mention    | has nothing to do       |             | public     | thread |                                   | no   |
mention    | has nothing to do       |             | public     |        | web_discussions_participating     | no   | discussions_participating
mention    | has nothing to do       |             | public     |        | discussions_participating         | yes  |
mention    | watches the repository  |             | public     |        | web_discussions_watched           | yes  | discussions_participating
mention    | watches the repository  |             | public     | repo   |                                   | yes  | discussions_participating
mention    | wrote before            |             | public     |        |                                   | yes  | discussions_participating
in code    | has nothing to do       |             | public     |        |                                   | no   |
discussion | has nothing to do       | read        | public     |        |                                   | no   |
discussion | watches the repository  |             | public     |        |                                   | yes  | discussions_watched
discussion | watches the repository  | read        | private    |        |                                   | yes  | discussions_watched
discussion | watches the repository  |             | private    |        |                                   | no   |
discussion | watches the owner       |             | public     |        |                                   | yes  | discussions_watched
discussion | watches the owner       | read        | public     | repo   |                                   | no   |
discussion | wrote before            |             | public     |        |                                   | no   |
status     | has nothing to do       |             | public     |        |                                   | no   |
status     | watches the repository  |             | public     |        |                                   | yes  | discussions_watched
status     | watches the repository  |             | private    |        |                                   | no   |
status     | wrote before            |             | public     |        |                                   | yes  | discussions_participating
status     | wrote before            |             | public     | thread |                                   | no   |
status     | was mentioned before    |             | public     |        |                                   | yes  | discussions_participating
edit       | watches the repository  |             | public     |        |                                   | no   |
edit       | wrote before            |             | public     |        |                                   | no   |
edit adds  | has nothing to do       |             | public     |        |                                   | yes  | discussions_participating
edit adds  | has nothing to do       |             | private    |        |                                   | no   |
edit adds  | has nothing to do       |             | public     | thread |                                   | no   |
edit adds  | watches the repository  |             | public     |        | web_discussions_watched           | yes  | discussions_participating
edit adds  | wrote before            |             | public     |        |                                   | yes  | discussions_participating
edit adds  | was mentioned before    |             | public     |        |                                   | no   |
comment    | is the actor            | admin       | public     |        |                                   | no   |
mention    | is the actor            | admin       | public     |        |                                   | no   |
status     | is the actor            | admin       | public     |        |                                   | no   |
comment    | has no address, watches |             | public     |        |                                   | yes  |
comment    | has no address, wrote   |             | public     |        |                                   | yes  |
`;

interface Row {
  readonly what: string;
  readonly user: string;
  readonly role: string;
  readonly repository: string;
  readonly muted: string;
  readonly off: string;
  readonly list: string;
  readonly mail: string;
}

const rows = TABLE.trim()
  .split('\n')
  .slice(1)
  .map((line): Row => {
    const [what = '', user = '', role = '', repository = '', muted = '', off = '', list = '', mail = ''] = line
      .split('|')
      .map((cell) => cell.trim());
    return { what, user, role, repository, muted, off, list, mail };
  });

let hub: InboxHub;
beforeAll(async () => {
  hub = await startInboxHub('alice', 'bob');
  await hub.apply({ organizations: [{ name: 'acme', members: [{ user: 'bob', role: 'write' }] }] });
});
afterAll(() => hub[Symbol.asyncDispose]());

test('the table has at least sixty rows, all different', () => {
  expect(rows.length).toBeGreaterThanOrEqual(60);
  expect(new Set(rows.map((row) => JSON.stringify({ ...row, list: '', mail: '' }))).size).toBe(rows.length);
});

/** Runs everything before alice's action; returns this action. */
async function prepare(row: Row, name: string, repo: string) {
  const [alice, bob, user] = [hub.as('alice'), hub.as('bob'), hub.as(name)];
  const role = row.role as 'read' | '';
  await hub.apply({
    users: [{ ...person(name), ...(!row.user.includes('no address') && { email: `${name}@example.com` }) }],
    ...(role && { organizations: [{ name: 'acme', members: [{ user: name, role }] }] }),
  });
  // Members of an organization watch it by default; in the other rows somebody has stopped that.
  await hub.drain();
  if (row.user !== 'joined the owner') {
    const userId = await hub.idOf(name);
    await hub.database.transaction((tx) => tx.deleteFrom('watches').where('user_id', '=', userId).execute());
  }
  await createRepo({ ...alice, repo });
  const { num } = await createDiscussion({ ...bob, type: 'model', repo, title: repo, description: 'A question' });
  const thread = { repo, type: 'model' as const, num };
  const comment = {
    ...thread,
    commentId: (await commentDiscussion({ ...alice, ...thread, comment: 'Hm' })).newMessage.id,
  };

  if (/wrote/.test(row.user)) await commentDiscussion({ ...user, ...thread, comment: 'I, too' });
  if (/mentioned before/.test(row.user)) await commentDiscussion({ ...bob, ...thread, comment: `See, @${name}` });
  if (/closed/.test(row.user)) {
    await changeDiscussionStatus({ ...user, ...thread, status: 'closed' });
    await changeDiscussionStatus({ ...bob, ...thread, status: 'open' });
  }
  const repoId = await hub.repoId(repo);
  if (/watches the repository|watches both|and watches|, watches/.test(row.user)) await hub.watch(name, 'repo', repoId);
  if (/watches the owner|watches both/.test(row.user)) await hub.watch(name, 'org', await hub.idOf('acme'));
  if (row.muted === 'repo') await hub.mute(name, 'repo', repoId);
  const { id: threadId } = await hub.database.read
    .selectFrom('discussions')
    .select('id')
    .where('repo_id', '=', repoId)
    .executeTakeFirstOrThrow();
  if (row.muted === 'thread') await hub.mute(name, 'discussion', threadId);
  if (row.off) await hub.turnOff(name, row.off.split(',') as DecidingKey[]);
  if (row.repository === 'private') await updateRepoSettings({ ...alice, ...thread, settings: { private: true } });
  await hub.drain();
  await deleteNotifications({ ...user, applyToAll: true });
  return { thread, comment };
}

async function act(
  row: Row,
  actor: ReturnType<InboxHub['as']>,
  name: string,
  prepared: Awaited<ReturnType<typeof prepare>>,
) {
  const { thread, comment } = prepared;
  switch (row.what) {
    case 'comment':
      return commentDiscussion({ ...actor, ...thread, comment: 'News' });
    case 'mention':
      return commentDiscussion({ ...actor, ...thread, comment: `News for @${name}` });
    case 'in code':
      return commentDiscussion({ ...actor, ...thread, comment: `Use \`@${name}\`` });
    case 'discussion':
      return createDiscussion({ ...actor, ...thread, title: 'Another', description: 'Look' });
    case 'status':
      return changeDiscussionStatus({ ...actor, ...thread, status: 'closed' });
    case 'edit':
      return editComment({ ...actor, ...comment, content: 'Hmm' });
    default:
      return editComment({ ...actor, ...comment, content: `Hm, @${name}?` });
  }
}

/** Returns the mails of the reaction to an event, which runs again without changing the list. */
async function mailsFor(name: string, forget: readonly string[]) {
  const event = await hub.lastEvent(discussionTopic);
  const mails: { userId: string; kind: string }[] = [];
  const queueMails: QueueMails = async (_, queued) => void mails.push(...queued);
  const { clock, newId: ids } = hub;
  const fanOut = createFanOut({
    clock,
    ids,
    inboxes: createInboxes({ signals: createSignals() }),
    texts: testTexts,
    vouched: vouchedAddresses,
    queueMails,
    mailQuietMs: 0,
  });
  await hub.database.transaction(async (tx) => {
    // An edit notifies users whom it mentions for the first time, so earlier mentions are forgotten.
    for (const userId of forget)
      await tx.updateTable('thread_participants').set({ mentioned: 0 }).where('user_id', '=', userId).execute();
    await fanOut.onDiscussionEvent(tx, event, undefined);
  });
  const userId = await hub.idOf(name);
  return mails.filter((mail) => mail.userId === userId).map(({ kind }) => kind);
}

test.each(rows.map((row, at) => ({ ...row, at })))(
  '$what: $user, role $role, $repository, muted $muted, off $off → $list, mail $mail',
  async (row) => {
    const name = row.user === 'is the actor' ? 'alice' : `user${row.at}`;
    const prepared = await prepare(row, row.user === 'is the actor' ? `user${row.at}` : name, `acme/repo${row.at}`);
    await act(row, hub.as('alice'), name, prepared);
    const listed = await hub.titles(name);
    const about = listed.filter((title) => title === `acme/repo${row.at}` || title === 'Another');
    expect(about).toHaveLength(row.list === 'yes' ? 1 : 0);
    const before = await hub.inbox(name);
    const isFirst = row.what === 'edit adds' && row.user !== 'was mentioned before';
    expect(await mailsFor(name, isFirst ? [await hub.idOf(name)] : [])).toEqual(row.mail ? [row.mail] : []);
    expect(await hub.inbox(name)).toEqual(before);
    await hub.verifyCounters();
  },
);
