/** A resource, or what was asked for of it, with the entity tag of the whole. */
export interface Tagged<T> {
  readonly resource: T;
  readonly version: string;
}

export const versionIn = ({ meta }: { readonly meta: object }): string => (meta as { version: string }).version;

export const tagged = <T extends { readonly meta: object }>(resource: T): Tagged<T> => ({
  resource,
  version: versionIn(resource),
});
