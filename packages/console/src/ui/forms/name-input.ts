/** What browsers must not do in a field for a name that means something to the hub: complete, capitalize, correct. */
export const NAME_INPUT = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const;
