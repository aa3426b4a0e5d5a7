/** The patterns of browsers, each before those that the browser imitates. */
const BROWSERS = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Headless)?(Chrome|Chromium|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
  [/^python/, 'Python'],
] as const;
const SYSTEMS = [
  [/\bAndroid\b/, 'Android'],
  [/\b(iPhone|iPad)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
] as const;

type Names = readonly (readonly [RegExp, string])[];

/** Returns a readable name of a browser from its user agent, as in "Firefox on Linux". */
export function browserName(userAgent = ''): string {
  const find = (names: Names) => names.find(([pattern]) => pattern.test(userAgent))?.[1];
  const system = find(SYSTEMS);
  return `${find(BROWSERS) ?? 'Unknown browser'}${system === undefined ? '' : ` on ${system}`}`;
}
