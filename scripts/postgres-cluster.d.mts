export interface Cluster {
  readonly url: string;
  /** Of its own, below the system's temporary folder. */
  readonly folder: string;
  /** Who runs the server, where that is not who runs this. */
  readonly owner: { readonly uid?: number; readonly gid?: number };
  start(): Promise<void>;
  /** `SIGINT`, the default, is a fast shutdown, `SIGQUIT` an immediate one. */
  stop(signal?: 'SIGINT' | 'SIGQUIT'): Promise<void>;
  remove(): Promise<void>;
}

export function makeCluster(settings?: Readonly<Record<string, string>>): Promise<Cluster>;
