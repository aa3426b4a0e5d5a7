import { createHash } from 'node:crypto';

const CELLS = 5;

/**
 * Generates the default picture of an account as an SVG that depends only on the id: a pattern of five by five cells,
 * mirrored, dark on a light background of the same hue, with a contrast of at least 4.5 : 1 (WCAG 2.2, 1.4.3).
 */
export function generatedPicture(id: string): string {
  const bytes = createHash('sha256').update(id).digest();
  const hue = Math.floor((bytes.readUInt16BE(0) * 360) / 0x1_00_00);
  const path = Array.from({ length: CELLS * 3 }, (_, at) => at)
    .filter((at) => (bytes[2 + at] ?? 0) < 128)
    .flatMap((at) => columnsOf(Math.floor(at / CELLS)).map((column) => `M${column} ${at % CELLS}h1v1h-1z`))
    .join('');
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-1 -1 7 7" width="512" height="512" role="img" aria-label="Avatar" shape-rendering="crispEdges">',
    `<path fill="hsl(${hue},60%,93%)" d="M-1-1h7v7h-7z"/>`,
    `<path fill="hsl(${hue},70%,26%)" d="${path || 'M2 2h1v1h-1z'}"/>`,
    '</svg>',
  ].join('');
}

const columnsOf = (column: number): number[] => [...new Set([column, CELLS - 1 - column])];
