import { useQuery } from '@tanstack/react-query';

const KEYS = ['author:', 'type:', 'ip:'];

/** The types of events in the logs of organizations, or in that of the hub, from the contract. */
export function useEventTypes(log: 'organization' | 'site'): readonly string[] {
  const { data = [] } = useQuery({
    queryKey: ['schema', 'audit-events', log],
    queryFn: () =>
      import('@moonbase/contract/audit-log/event-types').then(({ AUDIT_EVENT_TYPES, SITE_EVENT_TYPES }): string[] =>
        log === 'site' ? [...SITE_EVENT_TYPES] : [...AUDIT_EVENT_TYPES],
      ),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data;
}

/** Suggests completions for the last term of a filter. */
export function completionsOf(text: string, types: readonly string[]): string[] {
  const [, before = '', minus = '', term = ''] = /^(.*?)(-?)(\S*)$/s.exec(text) ?? [];
  const families = [...new Set(types.map((type) => `${type.split('.')[0]}.*`))];
  const terms = term.startsWith('type:') ? [...families, ...types].map((type) => `type:${type}`) : KEYS;
  return terms.filter((each) => each.startsWith(term) && each !== term).map((each) => before + minus + each);
}
