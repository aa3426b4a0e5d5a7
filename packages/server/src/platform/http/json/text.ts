export const JSON_TYPE = 'application/json; charset=utf-8';

/** The JSON text of a `T`. */
export type JsonText<T> = string & { readonly of?: T };

export const parseJson = <T>(json: JsonText<T>): T => JSON.parse(json) as T;
