/** Access tokens that appeared in documentation and examples, and are therefore public. */
export const PUBLISHED_TOKENS = [
  ...['hf_administrator', 'hf_aliceOnHerLaptop', 'hf_bobOnHisLaptop00'],
  ...['hf_demoAdministrator', 'hf_demoAlice000', 'hf_demoBob00000'],
] as const;

/** The minimum length after `hf_`: slightly less than that of the tokens that the hub creates. */
const MIN_CHARACTERS = 32;
/** Fewer distinct characters indicate a pattern: 32 random letters and digits almost always have more. */
const MIN_DISTINCT = 10;

/** Returns whether an access token chosen by a person could be guessed. */
export function isWeakToken(token: string): boolean {
  const characters = token.replace(/^hf_/, '');
  return characters.length < MIN_CHARACTERS || new Set(characters).size < MIN_DISTINCT;
}

export const STRONG_TOKEN = `hf_ and at least ${MIN_CHARACTERS} random letters and digits`;
