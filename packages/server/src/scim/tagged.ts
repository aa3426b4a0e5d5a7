/** A resource, possibly projected, with the entity tag of the complete resource. */
export interface Tagged<T> {
  readonly resource: T;
  readonly version: string;
}

// Every resource is presented with a version; the contract omits it where clients do not need it.
export const versionIn = ({ meta }: { readonly meta: object }): string => (meta as { version: string }).version;

export const tagged = <T extends { readonly meta: object }>(resource: T): Tagged<T> => ({
  resource,
  version: versionIn(resource),
});
