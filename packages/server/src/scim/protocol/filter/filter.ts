export type Comparison = 'eq' | 'ne' | 'co' | 'sw' | 'ew' | 'gt' | 'ge' | 'lt' | 'le';
export type FilterValue = string | number | boolean | null;

/**
 * A filter whose paths are canonical: `userName`, `name.givenName`, `emails.value`, `meta.created`.
 * `any`: one value of a multi-valued attribute fulfils the whole filter in it, as `emails[type eq "work" and …]`.
 * `ne` is everything but `eq`, also where there is no value.
 */
export type Filter =
  | { readonly op: 'and' | 'or'; readonly filters: readonly Filter[] }
  | { readonly op: 'not'; readonly filter: Filter }
  | { readonly op: 'any'; readonly path: string; readonly filter: Filter }
  | { readonly op: 'pr'; readonly path: string }
  | { readonly op: Comparison; readonly path: string; readonly value: FilterValue };

/** How texts are compared where case does not count: what a folded column keeps. */
export const fold = (text: string): string => text.toLowerCase();
