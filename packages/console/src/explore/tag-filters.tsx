import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useHub } from '../session/session.tsx';
import { type Kind, TAG_TYPES, tagsOf } from './kinds.ts';

/** A field for each type of tags by which a list is filtered; types without a tag have none. */
export function TagFilters(props: {
  readonly kind: Kind;
  readonly params: URLSearchParams;
  readonly change: (change: Readonly<Record<string, string | undefined>>) => void;
}) {
  const { kind, params, change } = props;
  const hub = useHub();
  const { data: tags = {} } = useQuery({
    queryKey: ['tags', kind],
    queryFn: ({ signal }) => tagsOf(kind, { ...hub, signal }),
    staleTime: 60_000,
  });
  return Object.entries(TAG_TYPES[kind]).map(([type, label]) => {
    const chosen = params.get(type);
    const known = (tags[type] ?? []).map((tag) => ({ value: tag.id, label: tag.label }));
    // A tag in the URL may be one that the hub does not count.
    const options =
      chosen === null || known.some(({ value }) => value === chosen)
        ? known
        : [...known, { value: chosen, label: chosen }];
    if (options.length === 0) return null;
    return (
      <Select
        key={type}
        aria-label={label}
        placeholder={label}
        w={160}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': `Any ${label.toLowerCase()}` }}
        limit={100}
        data={options}
        value={chosen}
        onChange={(value) => change({ [type]: value ?? undefined })}
      />
    );
  });
}
