import { readFileSync } from 'node:fs';
import { type CityResponse, Reader } from 'mmdb-lib';

/** Where an address is, as `formatted` for people; in English. */
export interface Location {
  readonly formatted: string;
  readonly country?: string;
  readonly city?: string;
}

export type Locate = (ip: string) => Location | undefined;

/** Where addresses are, from a MaxMind database of cities or countries, which is kept in memory. Throws where it cannot be read. */
export function openLocations(file: string | undefined): Locate {
  if (file === undefined) return () => undefined;
  const reader = openReader(file);
  return (ip) => {
    // A database of IPv4 alone would take the first bits of a longer address for one of its own.
    const found = reader.metadata.ipVersion === 4 && ip.includes(':') ? undefined : reader.get(ip);
    const country = found?.country?.names?.en;
    const city = found?.city?.names?.en;
    if (country === undefined) return undefined;
    return city === undefined ? { formatted: country, country } : { formatted: `${city}, ${country}`, country, city };
  };
}

function openReader(file: string): Reader<CityResponse> {
  try {
    return new Reader<CityResponse>(readFileSync(file));
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'it failed';
    throw new Error(`MOONBASE_GEOIP_DATABASE cannot be used as a MaxMind database: ${reason}`);
  }
}
