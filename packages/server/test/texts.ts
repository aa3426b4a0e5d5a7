import { createTexts } from '../src/comments/index.ts';
import { createMarkdown } from '../src/platform/markdown/markdown.ts';

/**
 * The texts of a hub, for tests without one. Their thread starts at the first use and does not keep the process alive.
 */
export const testTexts = createTexts({ markdown: createMarkdown() });
