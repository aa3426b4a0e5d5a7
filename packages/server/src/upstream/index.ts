export { createUpstream, type Upstream, type UpstreamTimes } from './assembly.ts';
export { createPruneUpstream, pruneUpstreamTask } from './pruning.ts';
export { UPSTREAM_BACKUP } from './tables.ts';
export { totalOf as upstreamTotal } from './total-store.ts';
