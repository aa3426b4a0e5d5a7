/** A pack that is complete, as a file, with its index beside it. */
export interface FinishedPack {
  /** `pack-` and the SHA-1 of the pack. */
  readonly name: string;
  readonly packPath: string;
  readonly indexPath: string;
  readonly bytes: number;
  readonly objects: number;
  /** Whether it may contain objects as deltas. */
  readonly hasDeltas: boolean;
}

/** Keeps a pack at another place as well. The pack does not count before this resolves, and never if it rejects. */
export type KeepPack = (pack: FinishedPack) => Promise<void>;

/** Brings the packs that are kept elsewhere into the folder; `repair` also brings those that are damaged in the folder. */
export type FetchPacks = (options?: { readonly repair?: boolean }) => Promise<void>;

/** How the packs of a repository get to another place, and how they come back. */
export interface KeptPacks {
  readonly keep: KeepPack;
  readonly fetch: FetchPacks;
}
