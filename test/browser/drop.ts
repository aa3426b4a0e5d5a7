import type { Page } from 'playwright-core';

/** Drops folders or files of this machine on the upload page, as a file manager does. */
export async function drop(page: Page, paths: readonly string[]): Promise<void> {
  const box = await page.locator('.drop').boundingBox();
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [...paths], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, x: (box?.x ?? 0) + 5, y: (box?.y ?? 0) + 5, data });
  await session.detach();
}
