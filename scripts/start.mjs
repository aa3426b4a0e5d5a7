// `npm start`: one process that compiles what is there and becomes the hub, so that signals reach it directly.
import './build.mjs';

await import('../packages/server/dist/main.js');
