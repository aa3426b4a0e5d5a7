/** The type of a column as both engines name it. */
export type ColumnType = 'text' | 'bigint' | 'integer' | 'bytea';

declare const VALUE: unique symbol;

/** A column of a table, with the type of its values in the program. */
export type Column<Value> = ColumnType & { readonly [VALUE]?: Value };

/** A row of these columns. */
export type RowOf<Declared> = {
  -readonly [Name in keyof Declared]: Declared[Name] extends { readonly [VALUE]?: infer Value } ? Value : never;
};

/** The columns of a table, or some of them, by their names. */
export type Columns = Readonly<Record<string, ColumnType>>;

export const text = <Value extends string | null = string>() => column<Value>('text');
export const bigint = <Value extends number | null = number>() => column<Value>('bigint');
export const integer = <Value extends number | null = number>() => column<Value>('integer');

/** Only the compiler knows the type of the values, so it has to be stated. */
const column = <Value>(type: ColumnType) => type as Column<Value>;
