export { createUpstream, type Upstream, type UpstreamTimes } from './assembly.ts';
export { keptBytes } from './files/kept-store.ts';
export { createPruneUpstream, pruneUpstreamTask } from './pruning.ts';
export { UPSTREAM_BACKUP } from './tables.ts';
