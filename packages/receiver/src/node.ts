export { createNodeHandler, type NodeHandler } from './node-handler.ts';
export { type ServeOptions, type Serving, serve } from './serve.ts';
