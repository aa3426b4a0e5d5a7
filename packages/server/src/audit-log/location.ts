import { readFileSync } from 'node:fs';
import { type CityResponse, Reader } from 'mmdb-lib';

/** The location of an address; `formatted` is English text. */
export interface Location {
  readonly formatted: string;
  readonly country?: string;
  readonly city?: string;
}

export type Locate = (ip: string) => Location | undefined;

/** Opens a MaxMind database of cities or countries, which is kept in memory. Throws if it cannot be read. */
export function openLocations(file: string | undefined): Locate {
  if (file === undefined) return () => undefined;
  const reader = openReader(file);
  return (ip) => {
    // An IPv4-only database would interpret the first bits of an IPv6 address as an IPv4 address.
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
    throw new Error(
      `MOONBASE_GEOIP_DATABASE cannot be used as a MaxMind database: ${reason}; name a file of cities or countries (.mmdb), or remove the setting`,
    );
  }
}
