/** A field of a JSON object; undefined where the value is none, or has no such field. */
export const jsonField = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined

/** A field of each item of a list; none where the value is no list. */
export const jsonFields = (list: unknown, name: string): ReadonlyArray<unknown> =>
  Array.isArray(list) ? list.map((one: unknown) => jsonField(one, name)) : []
