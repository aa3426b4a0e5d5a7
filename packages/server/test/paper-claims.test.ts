import type { HubDocument } from '@moonbase/client/admin';
import {
  claimPaper,
  commentPaper,
  getPaper,
  listAllPaperClaims,
  listPaperClaims,
  rejectPaperClaim,
  verifyPaperClaim,
} from '@moonbase/client/papers';
import { whoAmI } from '@moonbase/client/profiles';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Asked, ask } from './ask.ts';
import { MINUTE } from './clock.ts';
import { type Connection, collect, person, startHub, type TestHub } from './harness.ts';

const PAPER = '2401.01234';
const NOBODYS = '65a0c0ffee00000000000001';
const CLAIM = 'POST /api/settings/papers/claim';

const token = (name: string, permissions: string[] | undefined, id: string) => ({
  name,
  token: id,
  ...(permissions
    ? { role: 'fineGrained' as const, scopes: { scoped: [], global: permissions } }
    : { role: 'read' as const }),
});

const DOCUMENT = {
  users: [
    {
      ...person('alice'),
      fullname: 'Alice Liddell',
      tokens: [
        ...person('alice').tokens,
        token('reader', undefined, 'hf_readerOfAlice00'),
        token('none', ['discussion.write', 'repo.write'], 'hf_scopelessOfAlice'),
        token('settings', ['user.settings.write'], 'hf_settingsOfAlice'),
        token('looking', ['user.settings.read'], 'hf_lookingOfAlice0'),
      ],
    },
    { ...person('bob'), fullname: 'Bob' },
    { ...person('carol'), fullname: 'Carol' },
  ],
  organizations: [{ name: 'acme', members: [{ user: 'alice', role: 'admin' }] }],
  papers: [
    {
      id: PAPER,
      authors: [
        { name: 'Alice Liddell' },
        { name: 'B.' },
        { name: 'Carol' },
        { name: 'Carol' },
        { name: 'D.', user: 'bob' },
      ],
    },
    { id: '2401.05678', authors: [{ name: 'Alice Liddell' }] },
  ],
} satisfies HubDocument;

async function furnishedHub() {
  const hub = await startHub();
  await hub.apply(DOCUMENT);
  const entries = async (paperId = PAPER) => (await getPaper({ ...hub.admin, paperId })).authors;
  const [first, b, carol, otherCarol, bobs] = (await entries()).map(({ _id }) => _id) as [
    string,
    string,
    string,
    string,
    string,
  ];
  return {
    hub,
    entries,
    first,
    b,
    carol,
    otherCarol,
    bobs,
    alice: hub.as('alice'),
    bob: hub.as('bob'),
    [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose](),
  };
}

const OK = { ok: true, claimedPaperId: PAPER };
const idOf = async (caller: Connection) => (await whoAmI(caller)).id;
const statusOf = async (answer: Promise<Response>) => (await answer).status;
const own = (caller: Connection) => collect(listPaperClaims(caller));
const all = (hub: TestHub, status?: 'claim_requested' | 'claim_verified' | 'claim_rejected') =>
  collect(listAllPaperClaims({ ...hub.admin, status }));
const claim = (caller: Connection, claimAuthorId?: string, given: { targetUserId?: string } = {}) =>
  claimPaper({ ...caller, paperId: PAPER, claimAuthorId, ...given });
/** Claims an entry and decides on the claim. */
async function claimed(caller: Connection, authorId: string) {
  await claim(caller, authorId);
  return (await own(caller)).find((each) => each.authorId === authorId)?.id ?? '';
}
const verify = ({ hub }: { hub: TestHub }, claimId: string) => verifyPaperClaim({ ...hub.admin, claimId });
const reject = ({ hub }: { hub: TestHub }, claimId: string) => rejectPaperClaim({ ...hub.admin, claimId });

describe('claiming', () => {
  test('an author entry waits for a decision, is shown as claimed, and repeating the claim changes nothing', async () => {
    await using home = await furnishedHub();
    expect(await claim(home.alice, home.b)).toEqual(OK);
    const made = {
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      paperId: PAPER,
      authorId: home.b,
      authorName: 'B.',
      user: 'alice',
      status: 'claim_requested',
      createdAt: '2026-01-05T12:00:00.000Z',
    };
    expect(await own(home.alice)).toEqual([made]);
    home.hub.clock.advance(MINUTE);
    expect(await claim(home.alice, home.b.toUpperCase())).toEqual(OK);
    expect(await own(home.alice)).toEqual([made]);
    expect(await own(home.bob)).toEqual([]);
    expect((await home.entries())[1]).toEqual({
      _id: home.b,
      name: 'B.',
      status: 'claim_requested',
      statusLastChangedAt: made.createdAt,
      hidden: false,
    });
  });

  test('without an entry selects the one with the full name of the user', async () => {
    await using home = await furnishedHub();
    expect(await claim(home.alice)).toEqual(OK);
    expect(await own(home.alice)).toMatchObject([{ authorId: home.first, authorName: 'Alice Liddell' }]);
  });

  test.each([`arXiv:${PAPER}`, `${PAPER}v2`, `arxiv:${PAPER}v10`])('accepts the paper as %s', async (paperId) => {
    await using home = await furnishedHub();
    expect(await claimPaper({ ...home.alice, paperId })).toEqual(OK);
    expect(await own(home.alice)).toMatchObject([{ paperId: PAPER, authorId: home.first }]);
    expect((await getPaper({ ...home.alice, paperId })).id).toBe(PAPER);
    const { newMessage } = await commentPaper({ ...home.alice, paperId, comment: 'Mine' });
    const { comments } = await getPaper({ ...home.alice, paperId: PAPER, field: 'comments' });
    expect(comments?.map((comment) => comment.id)).toEqual([newMessage.id]);
    const found = await ask(home.alice, `GET /api/papers/search?q=${encodeURIComponent(paperId)}`);
    expect(await found.json()).toMatchObject([{ paper: { id: PAPER } }]);
    await home.hub.apply({ papers: [{ id: paperId, title: 'Brought to the same paper' }] });
    expect((await getPaper({ ...home.alice, paperId: PAPER })).title).toBe('Brought to the same paper');
  });

  test.each([`arXiv: ${PAPER}`, `${PAPER}v`, `${PAPER}v0`, `${PAPER}v2 `, `doi:${PAPER}`, 'arXiv:'])(
    'does not find %s',
    async (paperId) => {
      await using home = await furnishedHub();
      await expect(claimPaper({ ...home.alice, paperId })).rejects.toMatchObject({ status: 404 });
    },
  );

  test('for somebody else is for site administrators, and says who did', async () => {
    await using home = await furnishedHub();
    const targetUserId = await idOf(home.alice);
    await expect(claim(home.bob, home.b, { targetUserId })).rejects.toMatchObject({ status: 403 });
    await expect(claim(home.bob, home.b, { targetUserId: NOBODYS })).rejects.toMatchObject({ status: 403 });
    expect(await claim(home.alice, home.b, { targetUserId })).toEqual(OK);
    expect((await own(home.alice))[0]).not.toHaveProperty('requestedBy');
    expect(await claim(home.hub.admin, undefined, { targetUserId: targetUserId.toUpperCase() })).toEqual(OK);
    expect(await own(home.alice)).toMatchObject([
      { authorId: home.first, user: 'alice', requestedBy: 'admin', status: 'claim_requested' },
      { authorId: home.b },
    ]);
  });

  test('one’s own entry changes nothing, an entry of another user is refused', async () => {
    await using home = await furnishedHub();
    expect(await claim(home.bob, home.bobs)).toEqual(OK);
    await expect(claim(home.alice, home.bobs)).rejects.toMatchObject({
      status: 409,
      message: 'This author entry belongs to another user',
    });
    expect(await all(home.hub)).toEqual([]);
  });
});

describe('a claim', () => {
  let home: Awaited<ReturnType<typeof furnishedHub>>;
  let organization: string;
  beforeAll(async () => {
    home = await furnishedHub();
    const { orgs } = await whoAmI(home.alice);
    organization = orgs[0]?.id ?? '';
  });
  afterAll(() => home[Symbol.asyncDispose]());

  const of = (given: object) => ({ paperId: PAPER, ...given });
  test.each<[string, 'alice' | 'carol' | 'admin', () => unknown, number]>([
    ['no body', 'alice', () => undefined, 400],
    ['no paper', 'alice', () => ({}), 400],
    ['a number as paper', 'alice', () => ({ paperId: 2401.01234 }), 400],
    ['null as paper', 'alice', () => ({ paperId: null }), 400],
    ['an empty paper', 'alice', () => ({ paperId: '' }), 404],
    ['an unknown paper', 'alice', () => ({ paperId: '2401.99999' }), 404],
    ['a version of an unknown paper', 'alice', () => ({ paperId: '2401.99999v1' }), 404],
    ['an unknown author entry', 'alice', () => of({ claimAuthorId: NOBODYS }), 404],
    ['an entry of another paper', 'alice', () => ({ paperId: '2401.05678', claimAuthorId: home.b }), 404],
    ['23 digits as entry', 'alice', () => of({ claimAuthorId: NOBODYS.slice(1) }), 400],
    ['25 digits as entry', 'alice', () => of({ claimAuthorId: `0${NOBODYS}` }), 400],
    ['an entry that is not hexadecimal', 'alice', () => of({ claimAuthorId: `g${NOBODYS.slice(1)}` }), 400],
    ['an empty entry', 'alice', () => of({ claimAuthorId: '' }), 400],
    ['null as entry', 'alice', () => of({ claimAuthorId: null }), 400],
    ['23 digits as user', 'admin', () => of({ targetUserId: NOBODYS.slice(1) }), 400],
    ['a name as user', 'admin', () => of({ targetUserId: 'alice' }), 400],
    ['null as user', 'admin', () => of({ targetUserId: null }), 400],
    ['an unknown user', 'admin', () => of({ targetUserId: NOBODYS, claimAuthorId: home.b }), 404],
    ['an organization as user', 'admin', () => of({ targetUserId: organization, claimAuthorId: home.b }), 404],
    ['a full name that no author has', 'admin', () => of({}), 400],
    ['a full name that two authors have', 'carol', () => of({}), 400],
    ['an entry for somebody whose name two have', 'carol', () => of({ claimAuthorId: home.otherCarol }), 200],
    ['an entry in capitals', 'alice', () => of({ claimAuthorId: home.b.toUpperCase() }), 200],
    ['fields that it does not know', 'alice', () => of({ and: 'more' }), 200],
  ])('with %s, of %s, answers %s %i', async (_, who, body, status) => {
    const caller = who === 'admin' ? home.hub.admin : home.hub.as(who);
    const before = await all(home.hub);
    expect(await statusOf(ask(caller, CLAIM, body()))).toBe(status);
    if (status !== 200) expect(await all(home.hub)).toEqual(before);
  });

  test('by the object id of a paper is not found: papers are named by their arXiv identifier', async () => {
    const { discussionId } = await getPaper({ ...home.alice, paperId: PAPER });
    expect(await statusOf(ask(home.alice, CLAIM, { paperId: discussionId }))).toBe(404);
  });

  test.each([
    ['hf_readerOfAlice00', 403, 200],
    ['hf_scopelessOfAlice', 403, 403],
    ['hf_lookingOfAlice0', 403, 200],
    ['hf_settingsOfAlice', 200, 200],
    [undefined, 401, 401],
  ])('of the token %s answers %i, and the list of one’s own %i', async (accessToken, making, listing) => {
    const caller: Asked = { hubUrl: home.hub.url, ...(accessToken && { accessToken }) };
    expect(await statusOf(ask(caller, CLAIM, { paperId: PAPER }))).toBe(making);
    expect(await statusOf(ask(caller, 'GET /api/settings/papers/claims'))).toBe(listing);
  });

  test.each([
    'GET /api/admin/papers/claims',
    `POST /api/admin/papers/claims/${NOBODYS}/verify`,
    `POST /api/admin/papers/claims/${NOBODYS}/reject`,
  ] as const)('is decided by site administrators only: %s', async (request) => {
    expect(await statusOf(ask(home.alice, request))).toBe(403);
    expect(await statusOf(ask({ hubUrl: home.hub.url }, request))).toBe(401);
    expect(await statusOf(ask(home.hub.admin, request))).toBe(request.startsWith('GET') ? 200 : 404);
  });

  test.each(['verify', 'reject'])('that does not exist cannot be decided: %s', async (action) => {
    for (const id of ['x', '0', home.first, '%20'])
      expect(await statusOf(ask(home.hub.admin, `POST /api/admin/papers/claims/${id}/${action}`))).toBe(404);
  });

  test.each([
    ['status=claim_requested', 200],
    ['status=claim_verified', 200],
    ['status=claim_rejected', 200],
    ['status=', 400],
    ['status=requested', 400],
    ['limit=9', 400],
    ['limit=10', 200],
    ['limit=1000', 200],
    ['limit=1001', 400],
    ['limit=1.5', 400],
    ['limit=', 400],
    ['cursor=', 400],
    ['cursor=AAAA', 400],
  ])('is listed with %s: %i', async (query, status) => {
    expect(await statusOf(ask(home.hub.admin, `GET /api/admin/papers/claims?${query}`))).toBe(status);
    if (!query.startsWith('status'))
      expect(await statusOf(ask(home.alice, `GET /api/settings/papers/claims?${query}`))).toBe(status);
  });
});

describe('a decision', () => {
  test('to verify makes the author entry the user’s', async () => {
    await using home = await furnishedHub();
    const id = await claimed(home.alice, home.b);
    home.hub.clock.advance(MINUTE);
    const decided = await verify(home, id.toUpperCase());
    expect(decided).toMatchObject({ id, status: 'claim_verified', decidedAt: '2026-01-05T12:01:00.000Z' });
    expect(await own(home.alice)).toEqual([decided]);
    expect((await home.entries())[1]).toMatchObject({
      status: 'claim_verified',
      statusLastChangedAt: '2026-01-05T12:01:00.000Z',
      user: { name: 'alice' },
    });
    await expect(claim(home.bob, home.b)).rejects.toMatchObject({ status: 409 });
    expect(await claim(home.alice, home.b)).toEqual(OK);
    expect(await own(home.alice)).toEqual([decided]);
  });

  test('to reject leaves the entry to others, and repeating the claim changes nothing', async () => {
    await using home = await furnishedHub();
    const id = await claimed(home.alice, home.b);
    expect(await reject(home, id)).toMatchObject({ status: 'claim_rejected' });
    expect((await home.entries())[1]).toEqual({ _id: home.b, name: 'B.', hidden: false });
    expect(await claim(home.alice, home.b)).toEqual(OK);
    expect(await own(home.alice)).toMatchObject([{ id, status: 'claim_rejected' }]);
    await verify(home, await claimed(home.bob, home.b));
    expect((await home.entries())[1]).toMatchObject({ user: { name: 'bob' } });
  });

  test('is made once, and can be reversed', async () => {
    await using home = await furnishedHub();
    const id = await claimed(home.alice, home.b);
    const first = await reject(home, id);
    home.hub.clock.advance(MINUTE);
    expect(await reject(home, id)).toEqual(first);
    expect(await verify(home, id)).toMatchObject({ status: 'claim_verified', decidedAt: '2026-01-05T12:01:00.000Z' });
    expect((await home.entries())[1]).toMatchObject({ user: { name: 'alice' } });
    await reject(home, id);
    expect((await home.entries())[1]).not.toHaveProperty('user');
  });

  test('to verify is refused if the entry belongs to another user meanwhile', async () => {
    await using home = await furnishedHub();
    const [alices, bobs] = [await claimed(home.alice, home.b), await claimed(home.bob, home.b)];
    await verify(home, bobs);
    await expect(verify(home, alices)).rejects.toMatchObject({ status: 409 });
    await reject(home, alices);
    expect((await home.entries())[1]).toMatchObject({ user: { name: 'bob' } });
  });

  test('is kept when the hub document names the authors again', async () => {
    await using home = await furnishedHub();
    await verify(home, await claimed(home.alice, home.b));
    const before = await home.entries();
    await home.hub.apply(DOCUMENT);
    expect(await home.entries()).toEqual(before);
    await home.hub.apply({ papers: [{ id: PAPER, authors: [{ name: 'Alice Liddell' }] }] });
    expect(await all(home.hub)).toEqual([]);
  });
});

test('the list of all claims is newest first, by status, in pages', async () => {
  await using home = await furnishedHub();
  const { hub, alice, bob } = home;
  const authors = Array.from({ length: 25 }, (_, at) => ({ name: `Author ${at}` }));
  await hub.apply({ papers: [{ id: '2401.11111', authors }] });
  const entries = (await home.entries('2401.11111')).map(({ _id }) => _id);
  for (const [at, claimAuthorId] of entries.entries())
    await claimPaper({ ...(at % 5 === 0 ? bob : alice), paperId: '2401.11111', claimAuthorId });
  const listed = await collect(listAllPaperClaims({ ...hub.admin, pageSize: 10 }));
  expect(listed.map(({ authorName }) => authorName)).toEqual(authors.map(({ name }) => name).toReversed());
  expect((await collect(listPaperClaims({ ...bob, pageSize: 10 }))).map(({ user }) => user)).toEqual(
    Array.from({ length: 5 }, () => 'bob'),
  );
  for (const { id } of listed.slice(0, 12)) await verify(home, id);
  await reject(home, listed[13]?.id ?? '');
  const counts = await Promise.all(
    (['claim_requested', 'claim_verified', 'claim_rejected'] as const).map(
      async (status) => (await all(hub, status)).length,
    ),
  );
  expect(counts).toEqual([12, 12, 1]);
});

describe('at the same time', () => {
  test('the same claim many times is one', async () => {
    await using home = await furnishedHub();
    const answers = await Promise.all(Array.from({ length: 12 }, () => claim(home.alice, home.b)));
    expect(answers).toEqual(Array.from({ length: 12 }, () => OK));
    expect(await all(home.hub)).toHaveLength(1);
  });

  test('of two claims of an entry only one is verified', async () => {
    await using home = await furnishedHub();
    for (const entry of [home.b, home.carol, home.otherCarol, home.first]) {
      const ids = [await claimed(home.alice, entry), await claimed(home.bob, entry)];
      const statuses = await Promise.all(
        ids.map((id) => statusOf(ask(home.hub.admin, `POST /api/admin/papers/claims/${id}/verify`))),
      );
      expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 409]);
      const verified = (await all(home.hub)).filter(
        (each) => each.authorId === entry && each.status === 'claim_verified',
      );
      expect(verified).toHaveLength(1);
      const { user } = (await home.entries()).find(({ _id }) => _id === entry) ?? {};
      expect(user?.name).toBe(verified[0]?.user);
    }
  });

  test('a verified claim stays, though the hub’s document puts the authors in another order', async () => {
    await using home = await furnishedHub();
    const [, ...authors] = DOCUMENT.papers[0]?.authors ?? [];
    for (const entry of [home.b, home.carol, home.otherCarol]) {
      const id = await claimed(home.alice, entry);
      const document = { papers: [{ id: PAPER, authors: authors.reverse() }] };
      await Promise.all([home.hub.apply(document), verify(home, id), home.hub.apply(document)]);
      expect((await home.entries()).find(({ _id }) => _id === entry)?.user?.name).toBe('alice');
    }
  });

  test('two opposite decisions end in one of them, with a matching entry', async () => {
    await using home = await furnishedHub();
    for (const entry of [home.b, home.carol, home.otherCarol]) {
      const id = await claimed(home.alice, entry);
      await Promise.all([verify(home, id), reject(home, id), verify(home, id), reject(home, id)]);
      const [ended] = (await own(home.alice)).filter((each) => each.id === id);
      const { user } = (await home.entries()).find(({ _id }) => _id === entry) ?? {};
      expect(user?.name).toBe(ended?.status === 'claim_verified' ? 'alice' : undefined);
    }
  });
});
