import {
  changeDiscussionStatus,
  commentDiscussion,
  createDiscussion,
  deleteDiscussion,
  getDiscussion,
  listDiscussions,
  mergePullRequest,
  pinDiscussion,
  renameDiscussion,
} from '@moonbase/client/discussions';
import { command, group, listing } from '../program/command.ts';
import { argument, choice, flag, needed, numberArgument, text } from '../program/parameter.ts';
import { confirm, readText } from '../terminal/asking.ts';
import { printable } from '../terminal/table.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { discussedType, repo, when, yes } from './parameters.ts';

const num = numberArgument('number of the discussion');
const one = { repo, num };
const type = discussedType;
const comment = text('text', 'a comment to add; - reads standard input', { short: 'm' });
type TypeOption = { readonly type?: 'model' | 'dataset' | 'space' | 'kernel' | undefined };
export const typed = (options: TypeOption) => ({ type: options.type ?? ('model' as const) });
/** Reads a long text from standard input if `-` is given. */
export const bodyOf = async (given: string | undefined, terminal: Terminal) =>
  given === '-' ? (await readText('-', terminal)).trimEnd() : given;

type Filters = Omit<Parameters<typeof listDiscussions>[0], 'page'>;
type Discussion = Awaited<ReturnType<typeof listDiscussions>>['discussions'][number];

export async function* allPages(filters: Filters): AsyncGenerator<Discussion, void, undefined> {
  for (let page = 0; ; page++) {
    const { discussions, count, start } = await listDiscussions({ ...filters, page });
    yield* discussions;
    if (discussions.length === 0 || start + discussions.length >= count) return;
  }
}

const list = listing({
  name: 'list',
  summary: 'list discussions and pull requests of a repository, pinned ones first',
  args: { repo },
  options: {
    type,
    kind: choice(['discussion', 'pull_request'], 'only this kind'),
    status: choice(['open', 'closed'], 'only this status'),
    author: text('user', 'only those opened by this user'),
    search: text('text', 'only those with this text in the title'),
  },
  run: ({ hub, args, options }) => allPages({ ...hub, ...args, ...options, ...typed(options) }),
  columns: {
    number: (each) => each.num,
    kind: ({ isPullRequest }) => (isPullRequest ? 'pull request' : 'discussion'),
    status: ({ status }) => status,
    title: ({ title }) => title,
    author: ({ author }) => author?.name,
    comments: ({ numComments }) => numComments,
    opened: ({ createdAt }) => when(createdAt),
  },
});

const create = command({
  name: 'create',
  summary: 'open a discussion or a pull request',
  args: { repo },
  options: {
    type,
    title: needed(text('text', 'the title', { short: 't' })),
    body: text('text', 'the first comment, in Markdown; - reads standard input', { short: 'b' }),
    pullRequest: flag('open a pull request instead of a discussion'),
  },
  run: async ({ hub, args, options, terminal }) =>
    createDiscussion({
      ...{ ...hub, ...args, ...typed(options), title: options.title, pullRequest: options.pullRequest },
      description: (await bodyOf(options.body, terminal)) ?? '',
    }),
  say: ({ num: number, url }) => `Opened #${number}: ${url}\n`,
});

type Details = Awaited<ReturnType<typeof getDiscussion>>;

/** Describes an event: comments by their text, other events in a few words. */
export function eventText(event: Details['events'][number]): string {
  const who = `${event.author?.name ?? 'somebody'}, ${when(event.createdAt)}`;
  switch (event.type) {
    case 'comment': {
      const { latest } = event.data;
      return `\n${who}:\n${latest.raw.split('\n').map(printable).join('\n')}\n`;
    }
    case 'commit':
      return `\n${who}: commit ${event.data.oid.slice(0, 7)} ${printable(event.data.subject)}\n`;
    case 'status-change':
      return `\n${who}: ${event.data.status}\n`;
    case 'title-change':
      return `\n${who}: renamed from "${printable(event.data.from)}"\n`;
    case 'pinning-change':
      return `\n${who}: ${event.data.pinned ? 'pinned' : 'unpinned'}\n`;
    case 'ref-deleted':
      return `\n${who}: deleted its ref\n`;
  }
}

const show = command({
  name: 'show',
  summary: 'show a discussion or pull request with its comments and changes',
  args: one,
  options: { type },
  run: ({ hub, args, options }) => getDiscussion({ ...hub, ...args, ...typed(options) }),
  say: (shown) =>
    `${printable(shown.title)} #${shown.num}\n${shown.isPullRequest ? 'pull request' : 'discussion'}, ${shown.status}\n` +
    shown.events.map(eventText).join(''),
});

const addComment = command({
  name: 'comment',
  summary: 'add a comment',
  args: { ...one, comment: argument('the comment, in Markdown; - reads standard input') },
  options: { type },
  run: async ({ hub, args, options, terminal }) =>
    commentDiscussion({ ...hub, ...args, ...typed(options), comment: (await bodyOf(args.comment, terminal)) ?? '' }),
  say: (_, { args }) => `Commented on #${args.num}.\n`,
});

const setStatus = (name: string, status: 'open' | 'closed') =>
  command({
    name,
    summary: status === 'closed' ? 'close a discussion' : 'reopen a discussion',
    args: one,
    options: { type, comment },
    run: async ({ hub, args, options, terminal }) =>
      changeDiscussionStatus({
        ...{ ...hub, ...args, ...typed(options), status },
        comment: await bodyOf(options.comment, terminal),
      }),
    say: (_, { args }) => `#${args.num} is ${status}.\n`,
  });

export const merge = command({
  name: 'merge',
  summary: 'merge a pull request',
  args: one,
  options: { type, comment },
  run: async ({ hub, args, options, terminal }) =>
    mergePullRequest({ ...hub, ...args, ...typed(options), comment: await bodyOf(options.comment, terminal) }),
  say: (_, { args }) => `Merged #${args.num}.\n`,
});

const rename = command({
  name: 'rename',
  summary: 'rename a discussion',
  args: { ...one, title: argument('the new title') },
  options: { type },
  run: ({ hub, args, options }) => renameDiscussion({ ...hub, ...args, ...typed(options) }),
  say: (_, { args }) => `Renamed #${args.num}.\n`,
});

const pin = command({
  name: 'pin',
  summary: 'pin a discussion to the top of the list, or unpin it',
  args: one,
  options: { type, off: flag('unpin it') },
  run: ({ hub, args, options }) => pinDiscussion({ ...hub, ...args, ...typed(options), pinned: !options.off }),
  say: (_, { args, options }) => `#${args.num} is ${options.off ? 'unpinned' : 'pinned'}.\n`,
});

const remove = command({
  name: 'delete',
  summary: 'delete a discussion with its comments',
  args: one,
  options: { type, yes },
  async run({ hub, args, options, terminal }) {
    await confirm(`Delete #${args.num} of ${args.repo} with its comments?`, options.yes, terminal);
    return deleteDiscussion({ ...hub, ...args, ...typed(options) });
  },
  say: (_, { args }) => `Deleted #${args.num}.\n`,
});

export const discussions = group('discussions', 'discussions and pull requests of repositories', [
  ...[list, create, show, addComment],
  ...[setStatus('close', 'closed'), setStatus('reopen', 'open')],
  ...[merge, rename, pin, remove],
]);
