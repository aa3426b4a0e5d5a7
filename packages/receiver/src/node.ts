export { createNodeHandler, type NodeHandler } from './node-server/handler.ts';
export { type ServeOptions, type Serving, serve } from './serve.ts';
