export { createPktReader, DELIMITER, FLUSH, type PktLine, type PktReader, pktLine } from './protocol/pkt-line.ts';
export type { RefCommand } from './receiving/commands.ts';
export type { PushedPointer } from './receiving/examine.ts';
export { gitResponseFormat } from './response-format.ts';
export { gitRoutes } from './routes.ts';
export { createGit, type Git, type GitLimits } from './service.ts';
