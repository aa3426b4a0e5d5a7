/** Access tokens that stood in documentation and examples: everybody knows them. */
export const PUBLISHED_TOKENS = [
  ...['hf_administrator', 'hf_aliceOnHerLaptop', 'hf_bobOnHisLaptop00'],
  ...['hf_demoAdministrator', 'hf_demoAlice000', 'hf_demoBob00000'],
] as const;

/** As many as tokens that the hub makes itself have at the least. */
const MIN_CHARACTERS = 32;
/** Fewer are a pattern: of 32 random letters and digits hardly any text has so few. */
const MIN_DISTINCT = 10;

/** Whether an access token that a person chose can be guessed. */
export function isWeakToken(token: string): boolean {
  const characters = token.replace(/^hf_/, '');
  return characters.length < MIN_CHARACTERS || new Set(characters).size < MIN_DISTINCT;
}

export const STRONG_TOKEN = `hf_ and at least ${MIN_CHARACTERS} random letters and digits`;
