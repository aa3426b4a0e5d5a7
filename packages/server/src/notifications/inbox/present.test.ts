import { expect, test } from 'vitest';
import { type PreviewedThread, presentNotification, presentThread, withAvatarOrigin } from './present.ts';

const ID = '65a000000000000000000001';
const thread = (title: string, avatarUrl: string | null = null): PreviewedThread => ({
  ...{ id: ID, subject: 'post', title, accountName: 'ada', repoName: '', num: 0, status: 'open' },
  ...{ isPullRequest: false, slug: 'a-post', canonical: false, participants: [{ id: ID, name: 'ada', avatarUrl }] },
});
const state = { updatedAt: 0, read: false, eventId: null };
const finished = (baseUrl: string, given: PreviewedThread) =>
  JSON.parse(withAvatarOrigin(baseUrl, presentNotification(presentThread(given), state)));

test.each(['"avatar":"/evil', '\\"avatar":"/', 'a line\nbreak', '}', '$& $1'])(
  'the title %j is not changed',
  (title) => {
    expect(finished('https://hub.example.com', thread(title)).post.title).toBe(title);
  },
);

test.each(['https://hub.example.com', 'http://[::1]:3000/a$&b', 'https://hub.example.com/"quoted"'])(
  'avatars on this hub begin with the address %s',
  (baseUrl) => {
    const [participant] = finished(baseUrl, thread('A post')).post.participating;
    expect(participant.avatar).toBe(`${baseUrl}/avatars/${ID}.svg`);
  },
);

test('an avatar elsewhere keeps its address', () => {
  const elsewhere = 'https://images.example.org/ada.png';
  const [participant] = finished('https://hub.example.com', thread('A post', elsewhere)).post.participating;
  expect(participant.avatar).toBe(elsewhere);
});
