import { useDebouncedValue } from '@mantine/hooks';
import { quickSearch } from '@moonbase/client/discovery';
import { listDiscussions } from '@moonbase/client/discussions';
import type { FileRepo } from '@moonbase/client/files';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useHub } from '../../../session/session.tsx';
import type { Word } from './word.ts';

const PAUSE_MS = 150;
const MAX_SUGGESTIONS = 6;

export interface Suggestion {
  /** What is inserted. */
  readonly insert: string;
  readonly about: string;
}

/** Suggests users for `@`, and discussions of a repository for `#`, by title or by number; nothing while the hub is asked first. */
export function useSuggestions(word: Word | undefined, repo: FileRepo | undefined): readonly Suggestion[] {
  const hub = useHub();
  const [settled] = useDebouncedValue(word ? word.sign + word.text : '', PAUSE_MS);
  const sign = settled.slice(0, 1);
  const text = settled.slice(1);
  const { data } = useQuery({
    queryKey: ['completion', settled, repo],
    enabled: word !== undefined && (sign === '@' ? text !== '' : sign === '#' && repo !== undefined),
    placeholderData: keepPreviousData,
    staleTime: 10_000,
    queryFn: async ({ signal }): Promise<readonly Suggestion[]> => {
      if (sign === '@') {
        const { users } = await quickSearch({ ...hub, q: text, type: ['user'], limit: MAX_SUGGESTIONS, signal });
        return users.map(({ user, fullname }) => ({ insert: `@${user}`, about: fullname }));
      }
      if (!repo) return [];
      const isNumber = /^\d+$/.test(text);
      const { discussions } = await listDiscussions({ ...hub, ...repo, signal, ...(!isNumber && { search: text }) });
      return discussions
        .filter(({ num }) => !isNumber || String(num).startsWith(text))
        .map(({ num, title }) => ({ insert: `#${num}`, about: title }));
    },
  });
  if (!word || !data) return [];
  // What was found for the text before may not fit the one that is written now.
  const written = word.text.toLowerCase();
  return data
    .filter(({ insert, about }) => insert.startsWith(word.sign) && `${insert} ${about}`.toLowerCase().includes(written))
    .slice(0, MAX_SUGGESTIONS);
}
