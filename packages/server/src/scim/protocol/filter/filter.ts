export type Comparison = 'eq' | 'ne' | 'co' | 'sw' | 'ew' | 'gt' | 'ge' | 'lt' | 'le';
export type FilterValue = string | number | boolean | null;

/**
 * A filter with canonical paths: `userName`, `name.givenName`, `emails.value`, `meta.created`. `any`: a single value of
 * a multi-valued attribute meets the whole inner filter, as in `emails[type eq "work" and …]`. `ne` is the negation of
 * `eq`, and therefore true if there is no value.
 */
export type Filter =
  | { readonly op: 'and' | 'or'; readonly filters: readonly Filter[] }
  | { readonly op: 'not'; readonly filter: Filter }
  | { readonly op: 'any'; readonly path: string; readonly filter: Filter }
  | { readonly op: 'pr'; readonly path: string }
  | { readonly op: Comparison; readonly path: string; readonly value: FilterValue };

/** Folds a text for comparisons that ignore case, as in folded columns. */
export const fold = (text: string): string => text.toLowerCase();
