/** The kinds of faults of stored objects: absent, violating the format, or above the limits for reading into memory. */
export type GitFaultKind = 'missing' | 'damaged' | 'too-large';

/** An object that cannot be read, with the reason. */
export class GitFault extends Error {
  override name = 'GitFault';
  readonly kind: GitFaultKind;

  constructor(kind: GitFaultKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

export const damaged = (message: string) => new GitFault('damaged', message);
export const missing = (id: string) => new GitFault('missing', `The object ${id} does not exist`);
export const tooLarge = (message: string) => new GitFault('too-large', message);
