import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openLocations } from './location.ts';

const folder = mkdtempSync(join(tmpdir(), 'moonbase-geoip-'));
afterAll(() => rmSync(folder, { recursive: true }));

const control = (type: number, size: number) => Buffer.from([(type << 5) | size]);
const text = (value: string) => Buffer.concat([control(2, value.length), Buffer.from(value)]);
const number = (type: number, value: number) => {
  const bytes = value === 0 ? [] : value < 256 ? [value] : [value >> 8, value & 255];
  const extended = type > 7 ? [bytes.length, type - 7] : [(type << 5) | bytes.length];
  return Buffer.from([...extended, ...bytes]);
};
const map = (members: Record<string, Buffer>): Buffer =>
  Buffer.concat([
    control(7, Object.keys(members).length),
    ...Object.entries(members).flatMap(([key, value]) => [text(key), value]),
  ]);
const names = (en: string) => map({ names: map({ en: text(en) }) });

/** Writes a file in MaxMind's format 2.0 with one node: 0.0.0.0/1 is the first record, 128.0.0.0/1 the second one. */
function database(records: [Buffer, Buffer?]): string {
  const [first, second] = records;
  const nodes = 1;
  const pointer = (offset: number) => nodes + 16 + offset;
  const node = Buffer.alloc(6);
  node.writeUIntBE(pointer(0), 0, 3);
  node.writeUIntBE(second ? pointer(first.length) : nodes, 3, 3);
  const metadata = map({
    node_count: number(6, nodes),
    record_size: number(5, 24),
    ip_version: number(5, 4),
    database_type: text('City'),
    languages: Buffer.from([0x00, 0x04]),
    binary_format_major_version: number(5, 2),
    binary_format_minor_version: number(5, 0),
    build_epoch: number(9, 0),
    description: map({}),
  });
  const marker = Buffer.from([0xab, 0xcd, 0xef, ...Buffer.from('MaxMind.com')]);
  const file = join(folder, `${Math.random()}.mmdb`);
  writeFileSync(file, Buffer.concat([node, Buffer.alloc(16), first, second ?? Buffer.alloc(0), marker, metadata]));
  return file;
}

test('an address is located by city and country, or by country alone if the database knows no city', () => {
  const locate = openLocations(
    database([map({ city: names('Lyon'), country: names('France') }), map({ country: names('Japan') })]),
  );
  expect(locate('1.2.3.4')).toEqual({ formatted: 'Lyon, France', country: 'France', city: 'Lyon' });
  expect(locate('200.2.3.4')).toEqual({ formatted: 'Japan', country: 'Japan' });
  expect(locate('::1')).toBeUndefined();
});

test('an address without a known country has no location, and without a database none has one', () => {
  expect(openLocations(database([map({ city: names('Lyon') })]))('1.2.3.4')).toBeUndefined();
  expect(openLocations(database([map({})]))('200.2.3.4')).toBeUndefined();
  expect(openLocations(undefined)('1.2.3.4')).toBeUndefined();
});

test('a missing or invalid database file stops the start', () => {
  const file = join(folder, 'none.mmdb');
  expect(() => openLocations(file)).toThrow('MOONBASE_GEOIP_DATABASE');
  writeFileSync(file, 'hello');
  expect(() => openLocations(file)).toThrow('MOONBASE_GEOIP_DATABASE');
});
