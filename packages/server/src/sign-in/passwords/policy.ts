/** Words and keyboard rows from which common passwords are made. */
const COMMON = [
  ...['password', 'passwort', 'passwd', 'passw0rd', 'p@ssw0rd', 'contraseña', 'motdepasse', 'letmein', 'welcome'],
  ...['qwertyuiop', 'qwertzuiop', 'azertyuiop', 'asdfghjkl', 'zxcvbnm', 'qwerty', 'qwertz', 'azerty', 'asdf', 'zxcv'],
  ...['1q2w3e4r5t', '1qaz2wsx3edc', 'iloveyou', 'administrator', 'admin', 'login', 'master', 'dragon', 'monkey'],
  ...['football', 'baseball', 'superman', 'batman', 'sunshine', 'princess', 'trustno1', 'changeme', 'secret', 'hello'],
  ...['huggingface', 'moonbase', 'root', 'test', 'user', 'guest', 'default', 'summer', 'winter', 'spring', 'autumn'],
  ...['0123456789', '1234567890', '9876543210', 'abcdefghijklmnopqrstuvwxyz'],
];

/** The minimum number of different characters in a password without its common parts. */
const MIN_OWN_CHARACTERS = 5;
const COMMON_FROM_LONG_TO_SHORT = COMMON.toSorted((a, b) => b.length - a.length);

export interface PasswordContext {
  /** The minimum number of characters. */
  readonly min: number;
  /** Texts that an attacker tries first for this person: name, full name, address, name of the hub. */
  readonly personal: readonly string[];
}

/**
 * Returns what is wrong with a new password; undefined if it is valid. NIST SP 800-63B: a minimum length, no character
 * classes, and no password that is common or derived from the user's data.
 */
export function passwordFault(password: string, { min, personal }: PasswordContext): string | undefined {
  const text = password.normalize('NFC');
  if (Array.from(text).length < min) return `must have ${min} characters or more`;
  let rest = text.toLowerCase();
  for (const part of [...partsOf(personal), ...COMMON_FROM_LONG_TO_SHORT]) rest = rest.replaceAll(part, '');
  if (new Set(rest).size < MIN_OWN_CHARACTERS || isSequence(rest)) return 'is easily guessed: use words of your own';
  return undefined;
}

/** Returns the parts of names and addresses that are long enough to identify the person. */
const partsOf = (personal: readonly string[]): string[] =>
  personal
    .flatMap((text) => [text, ...text.split(/[\s@._-]+/)])
    .map((part) => part.toLowerCase())
    .filter((part) => part.length >= 3)
    .toSorted((a, b) => b.length - a.length);

/** Returns whether the character codes rise or fall by one throughout, as in 12345 or edcba. */
function isSequence(text: string): boolean {
  const codes = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  const step = (codes[1] ?? 0) - (codes[0] ?? 0);
  return Math.abs(step) <= 1 && codes.every((code, at) => at === 0 || code - (codes[at - 1] ?? 0) === step);
}
