export { createNodeHandler, type NodeHandler } from './node-server/handler.ts';
export { type RunningServer, type ServeOptions, serve } from './serve.ts';
