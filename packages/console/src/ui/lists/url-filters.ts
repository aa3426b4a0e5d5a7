import { useSearchParams } from 'wouter';

/** Values by the names of parameters; undefined and '' remove a parameter. */
type Change = Readonly<Record<string, string | undefined>>;

/**
 * Returns the parameters of the URL, which filter a list, and a function that changes some of them and leads to the
 * first page. A change replaces the entry of the browser's history, so that "back" leaves the list.
 */
export function useUrlFilters(): readonly [URLSearchParams, (change: Change) => void] {
  const [params, setParams] = useSearchParams();
  const change = (changed: Change) =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        for (const [name, value] of Object.entries({ page: undefined, ...changed }))
          if (value === undefined || value === '') next.delete(name);
          else next.set(name, value);
        return next;
      },
      { replace: true },
    );
  return [params, change];
}

/** Returns the number of the page, from 0, that the parameter `page` names from 1. */
export function pageIn(params: URLSearchParams): number {
  const page = Number(params.get('page') ?? 1) - 1;
  return Number.isInteger(page) && page > 0 ? page : 0;
}
