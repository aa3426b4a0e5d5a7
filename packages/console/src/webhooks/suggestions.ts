import { quickSearch } from '@moonbase/client/discovery';
import { useQuery } from '@tanstack/react-query';
import { useHub, useMe } from '../session/session.tsx';
import type { Draft } from './draft.ts';

export type Item = Draft['watched'][number];

/** An item to choose; `missing` where nothing that the user may see has this name. */
export type Suggestion = Item & { readonly missing?: boolean };

const MAX_FOUND = 20;
const MAX_SUGGESTIONS = 10;
const REPO_TYPES = ['model', 'dataset', 'space', 'bucket', 'kernel'] as const;
const ACCOUNT_TYPES = ['user', 'org'] as const;

export const labelOf = ({ type, name, missing }: Suggestion): string =>
  `${type}: ${name}${missing ? ' (does not exist yet)' : ''}`;

/** Suggests accounts and repositories that the hub finds, and the typed name with every type that it could have. */
export function useSuggestions(text: string, searched: string): Suggestion[] {
  const hub = useHub();
  const { data: me } = useMe();
  const sought = searched.trim();
  const { data: found } = useQuery({
    queryKey: ['suggestions', sought],
    queryFn: async ({ signal }) => {
      const [namespace = '', ...rest] = sought.split('/');
      const inside = rest.length > 0;
      return foundIn(
        await quickSearch({
          ...{ ...hub, signal, limit: MAX_FOUND, q: inside ? rest.join('/') : sought },
          ...(inside && { namespace }),
          type: inside ? [...REPO_TYPES] : [...REPO_TYPES, ...ACCOUNT_TYPES],
        }),
      );
    },
    enabled: sought !== '',
  });
  const typed = text.trim();
  const own: Item[] = me
    ? [{ type: 'user', name: me.name }, ...me.orgs.map(({ name }) => ({ type: 'org' as const, name }))]
    : [];
  const all = [...own, ...(found?.items ?? [])].filter(({ name }) => name.toLowerCase().includes(typed.toLowerCase()));
  const known = [...new Map(all.map((item) => [labelOf(item), item])).values()];
  // Before the hub has answered, nobody knows whether a name exists.
  if (typed === '' || found === undefined || typed !== sought) return known.slice(0, MAX_SUGGESTIONS);
  const named = (typed.includes('/') ? REPO_TYPES : ACCOUNT_TYPES).filter((type) => !isIn(known, type, typed));
  return [
    ...known.slice(0, MAX_SUGGESTIONS),
    ...named.map((type) => ({ type, name: typed, missing: !found.cut.has(type) })),
  ];
}

const isIn = (items: readonly Item[], type: Item['type'], name: string): boolean =>
  items.some((item) => item.type === type && item.name.toLowerCase() === name.toLowerCase());

type Result = Awaited<ReturnType<typeof quickSearch>>;

/** Returns what was found, and the types of which more was found than the hub returned. */
function foundIn(result: Result): { readonly items: Item[]; readonly cut: ReadonlySet<Item['type']> } {
  const names: Record<Item['type'], readonly string[]> = {
    org: result.orgs.map(({ name }) => name),
    user: result.users.map(({ user }) => user),
    model: result.models.map(({ id }) => id),
    dataset: result.datasets.map(({ id }) => id),
    space: result.spaces.map(({ id }) => id),
    bucket: result.buckets.map(({ id }) => id),
    kernel: result.kernels.map(({ id }) => id),
  };
  const types = [...ACCOUNT_TYPES, ...REPO_TYPES];
  return {
    items: types.flatMap((type) => names[type].map((name) => ({ type, name }))),
    cut: new Set(types.filter((type) => names[type].length >= MAX_FOUND)),
  };
}
