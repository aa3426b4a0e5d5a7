import { encode } from 'uqr';

/** The width of the white margin, in modules, which QR readers need. */
const MARGIN = 4;

/** A QR code, black on white in every colour scheme, drawn in the browser so that nothing else sees its text. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 0 });
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x + MARGIN} ${y + MARGIN}h1v1h-1z` : '')))
    .join('');
  const width = size + 2 * MARGIN;
  return (
    <svg
      role="img"
      aria-label={label}
      width={220}
      height={220}
      viewBox={`0 0 ${width} ${width}`}
      shapeRendering="crispEdges"
    >
      <rect width={width} height={width} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
