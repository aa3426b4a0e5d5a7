import { listOrganizationRepos, listRepos } from '@moonbase/client/repositories';
import { useQuery } from '@tanstack/react-query';
import { useHub, useMe } from '../session/session.tsx';
import type { Draft } from './draft.ts';

export type Item = Draft['watched'][number];

const MAX_SUGGESTIONS = 10;
const REPO_TYPES = ['model', 'dataset', 'space', 'bucket', 'kernel'] as const;

export const labelOf = ({ type, name }: Item): string => `${type}: ${name}`;

/** Suggests accounts and repositories that the hub finds, and the typed name with every type that it could have. */
export function useSuggestions(text: string, searched: string): Item[] {
  const hub = useHub();
  const { data: me } = useMe();
  const [namespace = '', ...rest] = searched.trim().split('/');
  const search = rest.length > 0 ? rest.join('/') : namespace;
  const org = rest.length > 0 && me?.orgs.find(({ name }) => name.toLowerCase() === namespace.toLowerCase())?.name;
  const { data: found = [] } = useQuery({
    queryKey: ['suggestions', org, search],
    queryFn: async ({ signal }) => {
      const items: Item[] = [];
      const request = { ...hub, search, pageSize: MAX_SUGGESTIONS, signal };
      for await (const { id, type } of org
        ? listOrganizationRepos({ ...request, organization: org })
        : listRepos(request)) {
        items.push({ type, name: id });
        if (items.length === MAX_SUGGESTIONS) break;
      }
      return items;
    },
    enabled: me !== undefined && searched.trim() !== '',
  });
  const typed = text.trim();
  const accounts: Item[] = me
    ? [{ type: 'user', name: me.name }, ...me.orgs.map(({ name }) => ({ type: 'org' as const, name }))]
    : [];
  const known = [...accounts, ...found].filter(({ name }) => name.toLowerCase().includes(typed.toLowerCase()));
  const isKnown = known.some(({ name }) => name.toLowerCase() === typed.toLowerCase());
  const named: Item[] =
    typed === '' || isKnown
      ? []
      : typed.includes('/')
        ? REPO_TYPES.map((type) => ({ type, name: typed }))
        : (['user', 'org'] as const).map((type) => ({ type, name: typed }));
  return [...known, ...named];
}
