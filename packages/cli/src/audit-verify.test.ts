import { formerHash, linkHash, NO_HASH, sealedText } from '@moonbase/server/audit-chain';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { verifyExport } from './audit-verify.ts';

interface AuditEvent {
  _id: string;
  createdAt: string;
  type: string;
  message: string;
  data?: unknown;
  ip?: string;
  location: { formatted: string; country: string; city: string };
  userAgent: string;
  author: { _id: string; user: string; avatarUrl: string; type: string };
  token?: { type: string; id: string; role: string; last4: string; deleted: boolean };
  seq: number;
  prevHash: string;
  hash: string;
}

/** The parts of an event that a test chooses. */
interface Content {
  message: string;
  user: string;
  data?: unknown;
  ip?: string;
  token?: string;
}

/** Returns a log as the hub exports it, newest first; its first `former` events have the hashes of an older version. */
function logOf(contents: readonly Content[], former = 0) {
  let previous = NO_HASH;
  const log: AuditEvent[] = [];
  for (const [at, { message, user, data, ip, token }] of contents.entries()) {
    const event = {
      _id: at.toString(16).padStart(24, '0'),
      createdAt: new Date(at * 1000).toISOString(),
      type: 'repo.create',
      message,
      ...(data !== undefined && { data }),
      ...(ip !== undefined && { ip }),
      location: { formatted: 'Lyon, France', country: 'France', city: 'Lyon' },
      userAgent: 'test',
      author: { _id: user.padStart(24, '0'), user, avatarUrl: 'http://hub.test/a.svg', type: 'user' },
      ...(token !== undefined && {
        token: { type: 'access_token', id: token, role: 'write', last4: 'ptop', deleted: false },
      }),
    };
    const hash = at < former ? formerHash(previous, event) : linkHash(previous, sealedText(event));
    log.unshift({ ...event, seq: at + 1, prevHash: previous, hash });
    previous = hash;
  }
  return log;
}

const contents = fc.array(
  fc.record(
    {
      message: fc.string({ unit: 'binary' }),
      user: fc.constantFrom('ada', 'bob'),
      data: fc.jsonValue(),
      ip: fc.ipV4(),
      token: fc.constantFrom('a'.repeat(24), 'b'.repeat(24)),
    },
    { requiredKeys: ['message', 'user'] },
  ),
  { minLength: 1, maxLength: 12 },
);

/** Returns a log as another program would read and write it: formatted and parsed again. */
const reread = (log: readonly unknown[]): unknown => JSON.parse(JSON.stringify(log, null, 2));

type Tampering = (log: AuditEvent[], at: number, other: number) => unknown;

const flip = (text: string, at: number): string => {
  const index = at % Math.max(1, text.length);
  return `${text.slice(0, index)}${text[index] === 'a' ? 'b' : 'a'}${text.slice(index + 1)}`;
};
const digit = (text: string, at: number): string => {
  const index = at % text.length;
  return `${text.slice(0, index)}${text[index] === '0' ? '1' : '0'}${text.slice(index + 1)}`;
};
const edit =
  (change: (event: AuditEvent, other: number) => object): Tampering =>
  (log, at, other) =>
    log.map((event, index) => (index === at ? { ...event, ...change(event, other) } : event));
/** Changes an event and computes a matching hash for it. */
const forge =
  (change: (event: AuditEvent, other: number) => object): Tampering =>
  (log, at, other) =>
    log.map((event, index) => {
      if (index !== at) return event;
      const forged = { ...event, ...change(event, other) };
      return { ...forged, hash: linkHash(forged.prevHash, sealedText(forged)) };
    });

const TAMPERINGS: Readonly<Record<string, Tampering>> = {
  'another message': edit(({ message }, other) => ({ message: flip(message, other) })),
  'another type': edit(() => ({ type: 'repo.delete' })),
  'another time': edit(({ createdAt }) => ({ createdAt: createdAt.replace('1970', '1971') })),
  'another id': edit(({ _id }, other) => ({ _id: digit(_id, other) })),
  'other data': edit(({ data }) => ({ data: { was: data === undefined ? null : data } })),
  'another address': edit(({ ip }) => ({ ip: ip === '10.0.0.1' ? '10.0.0.2' : '10.0.0.1' })),
  'another author': edit(({ author }) => ({ author: { ...author, user: `${author.user}x` } })),
  'another author id': edit(({ author }, other) => ({ author: { ...author, _id: digit(author._id, other) } })),
  'another token': edit(({ token }) => ({ token: { ...token, id: `${token?.id ?? ''}0` } })),
  'another user agent': edit(() => ({ userAgent: 'curl' })),
  'no user agent': edit(() => ({ userAgent: undefined })),
  'another location': edit(({ location }) => ({ location: { ...location, city: 'Paris' } })),
  'another token role': edit(({ token }) => ({ token: { id: 'none', ...token, role: 'read' } })),
  'other last characters of a token': edit(({ token }) => ({ token: { id: 'none', ...token, last4: 'xxxx' } })),
  'an additional field': edit(() => ({ oauth: { clientId: 'x' } })),
  'an event of an older version instead': (log, at) =>
    log.map((event, index) =>
      index === at ? { ...event, userAgent: 'curl', hash: formerHash(event.prevHash, event) } : event,
    ),
  'another position': edit(({ seq }, other) => ({ seq: seq + 1 + other })),
  'another hash': edit(({ hash }, other) => ({ hash: digit(hash, other) })),
  'another previous hash': edit(({ prevHash }, other) => ({ prevHash: digit(prevHash, other) })),
  'another message with a matching hash': forge(({ message }, other) => ({ message: flip(message, other) })),
  'another author with a matching hash': forge(({ author }) => ({ author: { ...author, user: 'eve' } })),
  'a missing field': edit((_, other) => ({
    [['_id', 'author', 'seq', 'hash', 'prevHash'][other % 5] ?? '']: undefined,
  })),
  'an event removed': (log, at) => log.filter((_, index) => index !== at),
  'an event repeated': (log, at) => log.flatMap((event, index) => (index === at ? [event, event] : [event])),
  'an event inserted': (log, at) => [
    ...log.slice(0, at),
    logOf([{ message: 'new', user: 'eve' }])[0],
    ...log.slice(at),
  ],
  'two events swapped': (log, at, other) => {
    const swapped = [...log];
    const to = (at + 1 + (other % Math.max(1, log.length - 1))) % log.length;
    [swapped[at], swapped[to]] = [log[to] as AuditEvent, log[at] as AuditEvent];
    return log.length > 1 ? swapped : [];
  },
  'the newest events removed': (log, at) => log.slice(at + 1),
  'the oldest events removed': (log, at) => log.slice(0, at),
  'the order reversed': (log) => (log.length > 1 ? [...log].reverse() : [log[0], log[0]]),
  'all events renumbered': (log) => log.map((event) => ({ ...event, seq: event.seq + 1 })),
  'the whole chain rebuilt': (log, at) =>
    logOf(
      log
        .map(({ message, author }, index) => ({ message: index === at ? `${message}!` : message, user: author.user }))
        .reverse(),
    ),
};

describe('verifying an export', () => {
  test('finds no fault in an untouched export, however it was reformatted', () => {
    fc.assert(
      fc.property(contents, fc.nat(), (given, at) => {
        const log = logOf(given);
        const noted = log[at % log.length];
        expect(verifyExport(reread(log))).toEqual({
          faults: [],
          events: log.length,
          first: 1,
          last: log.length,
          proved: null,
          later: 0,
          partlyHashed: null,
        });
        expect(verifyExport(reread(log), noted?.hash)).toMatchObject({
          faults: [],
          proved: noted?.seq,
          later: at % log.length,
        });
      }),
      { numRuns: 300 },
    );
  });

  test('finds each of 1,000 manipulations if the head is known', () => {
    const found: Record<string, number> = {};
    fc.assert(
      fc.property(
        contents,
        fc.constantFrom(...Object.keys(TAMPERINGS)),
        fc.nat(),
        fc.nat(),
        (given, name, at, other) => {
          const log = logOf(given);
          const tampered = TAMPERINGS[name]?.(log, at % log.length, other % 1000);
          expect(verifyExport(reread(tampered as unknown[]), log[0]?.hash).faults).not.toEqual([]);
          found[name] = (found[name] ?? 0) + 1;
        },
      ),
      { numRuns: 1000, seed: 20260105 },
    );
    expect(Object.keys(found).sort()).toEqual(Object.keys(TAMPERINGS).sort());
  });

  test('accepts events of an older version, and says up to which event some fields are unproved', () => {
    const log = logOf(
      ['a', 'b', 'c', 'd'].map((message) => ({ message, user: 'ada', token: 'a'.repeat(24) })),
      2,
    );
    const [last, , second] = log;
    expect(verifyExport(reread(log), last?.hash)).toMatchObject({ faults: [], proved: 4, partlyHashed: 2 });
    const changed = (at: number) => log.map((event, index) => (index === at ? { ...event, userAgent: 'curl' } : event));
    expect(verifyExport(changed(2), last?.hash)).toMatchObject({ faults: [], partlyHashed: 2 });
    expect(verifyExport(changed(1), last?.hash).faults).toEqual(['Event 3 was changed']);
    expect(verifyExport(changed(1), second?.hash).faults).toEqual(['Event 3 was changed']);
  });

  test('lets a pruned log begin later, but still finds all other faults', () => {
    const log = logOf(['a', 'b', 'c', 'd'].map((message) => ({ message, user: 'ada' })));
    const rest = log.slice(0, 2);
    expect(verifyExport(reread(rest), log[1]?.hash).faults).toEqual(['The events before event 3 are missing']);
    expect(verifyExport(reread(rest), log[1]?.hash, true)).toEqual({
      faults: [],
      events: 2,
      first: 3,
      last: 4,
      proved: 3,
      later: 1,
      partlyHashed: null,
    });
    expect(verifyExport(reread(rest), log[2]?.hash, true).faults).toHaveLength(1);
    expect(verifyExport(reread([log[0], log[2]]), undefined, true).faults).toHaveLength(1);
    expect(
      verifyExport(reread(rest.map((event) => ({ ...event, message: 'e' }))), undefined, true).faults,
    ).toHaveLength(2);
  });

  test.each([undefined, null, {}, 'text', [1], [null], [{}], [[]]])('rejects %j', (value) => {
    expect(verifyExport(value).faults).toHaveLength(1);
  });

  test('accepts an empty log unless the hash of an event is known', () => {
    expect(verifyExport([])).toMatchObject({ faults: [], events: 0, proved: null });
    expect(verifyExport([], 'a'.repeat(64)).faults).toHaveLength(1);
  });
});
