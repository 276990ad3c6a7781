/** A field of a JSON object; undefined where the value is not an object, or has no such field. */
export const jsonField = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined

/** A field of each item of a list; empty where the value is not a list. */
export const jsonFields = (list: unknown, name: string): ReadonlyArray<unknown> =>
  Array.isArray(list) ? list.map((one: unknown) => jsonField(one, name)) : []
