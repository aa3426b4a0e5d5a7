/** Which parts of a resource are answered: names of attributes, with commas. */
export interface Projected {
  readonly attributes?: string | undefined;
  readonly excludedAttributes?: string | undefined;
}

export interface ScimList extends Projected {
  /** 1 is the first. */
  readonly startIndex?: number | undefined;
  /** At most 1,000. */
  readonly count?: number | undefined;
  /** `userName eq "ada@example.com"` (RFC 7644, 3.4.2.2). */
  readonly filter?: string | undefined;
}

/** Operations of a PATCH (RFC 7644, 3.5.2). */
export interface Patch {
  readonly operations: readonly {
    readonly op: 'add' | 'replace' | 'remove';
    readonly path?: string | undefined;
    readonly value?: unknown;
  }[];
}

export const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
