import { type JsonObject, own, textsAt } from './json.ts';
import { LICENSES } from './licenses.ts';

const LISTS = ['tags', 'datasets', 'models'];
const TEXTS = ['library_name', 'pipeline_tag', 'title', 'sdk', 'emoji'];

/** Returns the faults in the metadata of a README, one sentence each. */
export function faultsOf(card: JsonObject): string[] {
  const errors: string[] = [];
  const unknown = textsAt(card, 'license').filter((license) => !LICENSES.has(license.toLowerCase()));
  if (unknown.length > 0) errors.push(`"license" must be one of [${[...LICENSES].join(', ')}]`);
  for (const name of LISTS) {
    const value = own(card, name);
    if (value === undefined || value === null || typeof value === 'string') continue;
    const isList = Array.isArray(value) && value.every((each) => typeof each === 'string' || typeof each === 'number');
    if (!isList) errors.push(`"${name}" must be an array of strings`);
  }
  const results = own(card, 'model-index');
  if (results !== undefined && results !== null && !Array.isArray(results))
    errors.push('"model-index" must be an array of evaluation results');
  for (const name of TEXTS) {
    const value = own(card, name);
    if (value !== undefined && value !== null && typeof value !== 'string') errors.push(`"${name}" must be a string`);
  }
  return errors;
}
