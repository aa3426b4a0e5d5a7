// Written by `npm run generate` from the routes of packages/contract: edit those.

export * from '../handwritten/personal-data.ts';
