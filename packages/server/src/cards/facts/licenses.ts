/** The license identifiers that the metadata of a README may name; other licenses are `other` with a `license_name`. */
export const LICENSES: ReadonlySet<string> = new Set([
  ...['apache-2.0', 'mit', 'openrail', 'bigscience-openrail-m', 'creativeml-openrail-m', 'bigscience-bloom-rail-1.0'],
  ...['bigcode-openrail-m', 'afl-3.0', 'artistic-2.0', 'bsl-1.0', 'bsd', 'bsd-2-clause', 'bsd-3-clause'],
  ...['bsd-3-clause-clear', 'c-uda', 'cc', 'cc0-1.0', 'cc-by-2.0', 'cc-by-2.5', 'cc-by-3.0', 'cc-by-4.0'],
  ...['cc-by-sa-3.0', 'cc-by-sa-4.0', 'cc-by-nc-2.0', 'cc-by-nc-3.0', 'cc-by-nc-4.0', 'cc-by-nd-4.0'],
  ...['cc-by-nc-nd-3.0', 'cc-by-nc-nd-4.0', 'cc-by-nc-sa-2.0', 'cc-by-nc-sa-3.0', 'cc-by-nc-sa-4.0'],
  ...['cdla-sharing-1.0', 'cdla-permissive-1.0', 'cdla-permissive-2.0', 'wtfpl', 'ecl-2.0', 'epl-1.0', 'epl-2.0'],
  ...['etalab-2.0', 'eupl-1.1', 'eupl-1.2', 'agpl-3.0', 'gfdl', 'gpl', 'gpl-2.0', 'gpl-3.0', 'h-research'],
  ...['intel-research', 'isc', 'lgpl', 'lgpl-2.1', 'lgpl-3.0', 'lgpl-lr', 'lppl-1.3c', 'ms-pl', 'mpl-2.0', 'ncsa'],
  ...['odc-by', 'odbl', 'ofl-1.1', 'open-mdw', 'openmdw-1.0', 'openrail++', 'osl-3.0', 'pddl', 'postgresql'],
  ...['unlicense', 'zlib', 'apple-amlr', 'apple-ascl', 'deepfloyd-if-license', 'fair-noncommercial-research-license'],
  ...['gemma', 'grok2-community', 'health-ai-developer-foundations', 'hippocratic-2.1', 'llama2', 'llama3'],
  ...['llama3.1', 'llama3.2', 'llama3.3', 'llama4', 'tii-falcon-llm', 'unknown', 'other'],
]);
