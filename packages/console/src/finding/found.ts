import { useDebouncedValue } from '@mantine/hooks';
import { type QuickSearchResult, quickSearch } from '@moonbase/client/discovery';
import { useQuery } from '@tanstack/react-query';
import { hrefOfBucket } from '../buckets/place.ts';
import { hrefOf, type Place } from '../repos/place.ts';
import { useHub } from '../session/session.tsx';
import type { Entry } from './entries.ts';

const PAUSE_MS = 150;
const MAX_TEXT = 250;

/** Suggests things whose names contain a text, as soon as the typing pauses; undefined while the hub is asked. */
export function useFound(text: string) {
  const hub = useHub();
  const [settled] = useDebouncedValue(text, PAUSE_MS);
  const query = useQuery({
    queryKey: ['quick search', settled],
    enabled: settled !== '',
    queryFn: ({ signal }) => quickSearch({ ...hub, q: settled.slice(0, MAX_TEXT), signal }),
    staleTime: 10_000,
  });
  const found = text === '' ? [] : settled === text && query.data ? entriesOf(query.data) : undefined;
  return { found, error: settled === text ? query.error : null };
}

function entriesOf(result: QuickSearchResult): readonly Entry[] {
  const { models, datasets, spaces, kernels, buckets, papers, collections, orgs, users } = result;
  const repos = (type: Place['type'], found: readonly { readonly id: string }[]) =>
    found.map(({ id }) => entry(type, id, hrefOf({ type, repo: id, page: 'tree', revision: 'main', path: '' })));
  return [
    ...repos('model', models),
    ...repos('dataset', datasets),
    ...repos('space', spaces),
    ...repos('kernel', kernels),
    ...buckets.map(({ id }) => entry('bucket', id, hrefOfBucket({ repo: id, page: 'tree', path: '' }))),
    ...collections.map(({ title, slug }) => entry('collection', title, `/collections/${slug}`)),
    ...papers.map(({ id, title }) => entry('paper', title, `/papers/${encodeURIComponent(id)}`)),
    ...orgs.map(({ name }) => entry('organization', name, `/${encodeURIComponent(name)}`)),
    ...users.map(({ user }) => entry('user', user, `/${encodeURIComponent(user)}`)),
  ];
}

const entry = (kind: string, label: string, open: string): Entry => ({ id: open, label, kind, open });
