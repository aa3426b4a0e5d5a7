import { expect, test } from 'vitest';
import { generatedPicture } from './generated.ts';

const ids = Array.from({ length: 3000 }, (_, at) => at.toString(16).padStart(24, '0'));
const coloursOf = (picture: string) =>
  [...picture.matchAll(/hsl\((\d+),(\d+)%,(\d+)%\)/g)].map(([, ...numbers]) => numbers.map(Number));

/** Returns the relative luminance (WCAG 2.2). */
function luminance([hue = 0, saturation = 0, lightness = 0]: number[]): number {
  const part = (offset: number) => {
    const at = (offset + hue / 30) % 12;
    const spread = (saturation / 100) * Math.min(lightness / 100, 1 - lightness / 100);
    const value = lightness / 100 - spread * Math.max(-1, Math.min(at - 3, 9 - at, 1));
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * part(0) + 0.7152 * part(8) + 0.0722 * part(4);
}

test('a generated picture is well-formed, inert, labelled for screen readers, and always the same', () => {
  for (const id of ids.slice(0, 50)) {
    const picture = generatedPicture(id);
    expect(picture).toBe(generatedPicture(id));
    expect(picture).toMatch(
      /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" [^<>]*role="img" aria-label="Avatar"[^<>]*>(<path fill="hsl\(\d+,\d+%,\d+%\)" d="[\d Mhvz-]+"\/>){2}<\/svg>$/,
    );
  }
});

test('almost all accounts have different pictures', () => {
  expect(new Set(ids.map(generatedPicture)).size).toBeGreaterThan(ids.length * 0.999);
});

test('the pattern has enough contrast with its background in every hue', () => {
  const hues = new Set<number>();
  for (const id of ids) {
    const [ground = [], pattern = []] = coloursOf(generatedPicture(id));
    hues.add(pattern[0] ?? -1);
    const [light, dark] = [luminance(ground), luminance(pattern)];
    expect((light + 0.05) / (dark + 0.05)).toBeGreaterThan(4.5);
  }
  expect(hues.size).toBe(360);
});
