import { createTexts } from '../src/comments/index.ts';
import { createMarkdown } from '../src/platform/markdown/markdown.ts';

/** Texts as the hub has them, for tests of parts: their thread begins when it is needed and keeps no process alive. */
export const testTexts = createTexts({ markdown: createMarkdown() });
