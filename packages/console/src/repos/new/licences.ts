/** The licences that the form of a new repository offers, by their identifiers in the metadata of a README. */
export const LICENCES = [
  ...['apache-2.0', 'mit', 'bsd-2-clause', 'bsd-3-clause', 'isc', 'unlicense', 'cc0-1.0', 'wtfpl', 'zlib'],
  ...['gpl-2.0', 'gpl-3.0', 'agpl-3.0', 'lgpl-3.0', 'mpl-2.0', 'epl-2.0', 'eupl-1.1', 'artistic-2.0'],
  ...['cc-by-4.0', 'cc-by-sa-4.0', 'cc-by-nc-4.0', 'cc-by-nd-4.0', 'cc-by-nc-sa-4.0', 'cc-by-nc-nd-4.0'],
  ...['odc-by', 'odbl', 'pddl', 'openrail', 'bigscience-bloom-rail-1.0', 'creativeml-openrail-m', 'gemma'],
  ...['llama2', 'llama3', 'llama3.1', 'llama3.2', 'llama3.3', 'llama4'],
] as const;
