import fc from 'fast-check';
import { NASTY_TEXTS } from './nasty.ts';

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** A change of one member of a value; `at` counts the members at any depth and wraps around. */
export type Mutation = { readonly at: number } & (
  | { readonly kind: 'put'; readonly value: Json }
  | { readonly kind: 'drop' }
  | { readonly kind: 'repeat' }
  | { readonly kind: 'add'; readonly name: string; readonly value: Json }
);

const nested = (depth: number): Json => (depth === 0 ? 'deep' : [nested(depth - 1)]);

const NUMBERS = [0, -1, 1.5, 2 ** 31, 2 ** 53, -(2 ** 63), 1e308, 5e-324];
const SHAPES: readonly Json[] = [null, true, [], {}, [[]], [null], { length: 3 }, { '0': 'a' }, nested(300)];
const NAMES = ['__proto__', 'constructor', 'prototype', 'toString', 'unknown', '', 'é', 'id'];

const nastyValues: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(...NASTY_TEXTS),
  fc.constantFrom<Json>(...NUMBERS),
  fc.constantFrom(...SHAPES),
  fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>,
);
const at = fc.nat(60);

export const mutations: fc.Arbitrary<Mutation> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('put' as const), at, value: nastyValues }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('drop' as const), at }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('repeat' as const), at }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('add' as const),
      at,
      name: fc.constantFrom(...NAMES),
      value: nastyValues,
    }),
  },
);

const copyOf = (value: Json) => JSON.parse(JSON.stringify(value)) as Json;

interface Member {
  readonly holder: Record<string, Json>;
  readonly name: string;
}

/** Returns the value with the changes, which may also replace the whole value. */
export function mutate(value: Json, changes: readonly Mutation[]): Json {
  const box: Record<string, Json> = { value: copyOf(value) };
  for (const change of changes) {
    const all = membersOf(box);
    const member = all[change.at % all.length];
    if (member) changeMember(member, change);
  }
  return box.value ?? null;
}

function membersOf(holder: Record<string, Json>): Member[] {
  return Object.keys(holder).flatMap((name) => {
    const value = holder[name];
    const inner = typeof value === 'object' && value !== null ? membersOf(value as Record<string, Json>) : [];
    return [{ holder, name }, ...inner];
  });
}

function changeMember({ holder, name }: Member, change: Mutation): void {
  const value = holder[name];
  switch (change.kind) {
    case 'put':
      define(holder, name, copyOf(change.value));
      return;
    case 'drop':
      if (Array.isArray(holder)) holder.splice(Number(name), 1);
      else delete holder[name];
      return;
    case 'repeat':
      if (Array.isArray(value)) value.push(...value, ...value);
      return;
    case 'add':
      if (typeof value === 'object' && value !== null && !Array.isArray(value))
        define(value, change.name, copyOf(change.value));
      return;
  }
}

/** In contrast to an assignment, this makes `__proto__` a normal property. */
const define = (holder: object, name: string, value: Json): void =>
  void Object.defineProperty(holder, name, { value, enumerable: true, writable: true, configurable: true });
