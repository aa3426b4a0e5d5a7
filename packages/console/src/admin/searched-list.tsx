import { Paper, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type ReactNode, useEffect, useState } from 'react';
import { useSearchParams } from 'wouter';
import { useEntries } from '../ui/entries.ts';
import { More } from '../ui/more.tsx';
import { Empty, Loaded } from '../ui/states.tsx';

interface ListRequest {
  readonly search?: string;
  readonly pageSize: number;
  readonly signal: AbortSignal;
}

/** A list with a search field, whose text is kept in the URL. */
export function SearchedList<T>(props: {
  readonly what: string;
  readonly placeholder: string;
  readonly list: (request: ListRequest) => AsyncGenerator<T>;
  readonly row: (entry: T) => ReactNode;
}) {
  const { what, placeholder, list, row } = props;
  const [params, setParams] = useSearchParams();
  const search = params.get('search') ?? '';
  const [text, setText] = useState(search);
  const [typed] = useDebouncedValue(text.trim(), 250);
  useEffect(() => {
    if (typed !== search) setParams(typed === '' ? {} : { search: typed }, { replace: true });
  }, [typed, search, setParams]);
  const { query, more } = useEntries(['admin', what, search], (options) =>
    list({ ...options, ...(search !== '' && { search }) }),
  );
  return (
    <>
      <TextInput
        mb="sm"
        aria-label={`Search ${what.toLowerCase()}`}
        placeholder={placeholder}
        maxLength={100}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Loaded query={query}>
        {(entries) =>
          entries.length === 0 ? (
            <Empty title={search === '' ? `No ${what.toLowerCase()} yet` : 'Nothing matches'} />
          ) : (
            <Paper withBorder aria-busy={query.isPlaceholderData}>
              <ul className="plain-list" aria-label={what}>
                {entries.map(row)}
              </ul>
              <More more={more} busy={query.isPlaceholderData} />
            </Paper>
          )
        }
      </Loaded>
    </>
  );
}
