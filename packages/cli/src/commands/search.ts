import { type QuickSearchResult, quickSearch } from '@moonbase/client/discovery';
import { listing } from '../program/command.ts';
import { argument, choice, text } from '../program/parameter.ts';

const TYPES = ['model', 'dataset', 'space', 'kernel', 'bucket', 'paper', 'collection', 'org', 'user'] as const;

/** How many of each type are shown. */
const OF_EACH = 20;

interface Found {
  readonly type: (typeof TYPES)[number];
  readonly name: string;
  readonly title?: string | undefined;
}

function foundIn(result: QuickSearchResult): Found[] {
  const repos = (type: Found['type'], items: QuickSearchResult['models']) =>
    items.map(({ id }) => ({ type, name: id }));
  return [
    ...repos('model', result.models),
    ...repos('dataset', result.datasets),
    ...repos('space', result.spaces),
    ...repos('kernel', result.kernels),
    ...repos('bucket', result.buckets),
    ...result.papers.map(({ id, title }) => ({ type: 'paper' as const, name: id, title })),
    ...result.collections.map(({ slug, title }) => ({ type: 'collection' as const, name: slug, title })),
    ...result.orgs.map(({ name, fullname }) => ({ type: 'org' as const, name, title: fullname })),
    ...result.users.map(({ user, fullname }) => ({ type: 'user' as const, name: user, title: fullname })),
  ];
}

export const search = listing({
  name: 'search',
  summary: 'find repositories, users, organizations, papers and collections by name',
  args: { text: argument('parts of names, or words of titles; quote several') },
  options: {
    type: choice(TYPES, 'only this type'),
    in: text('namespace', 'only repositories and collections in it'),
  },
  run: async ({ hub, args, options: { type, in: namespace } }) =>
    foundIn(
      await quickSearch({
        ...hub,
        q: args.text,
        limit: OF_EACH,
        namespace,
        ...(type !== undefined && { type: [type] }),
      }),
    ),
  columns: {
    type: ({ type }) => type,
    name: ({ name }) => name,
    title: ({ title }) => title,
  },
});
