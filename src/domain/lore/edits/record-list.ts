/**
 * Writes a committed list of records as JSON with one record a line, so that diffs and text merges work by
 * record. `head` holds the fields before the list.
 */
export const recordListText = (
  head: Readonly<Record<string, unknown>>,
  list: string,
  records: ReadonlyArray<unknown>,
): string =>
  recordLinesText(
    head,
    list,
    records.map(record => JSON.stringify(record)),
  )

/** `recordListText` for records that are already JSON, each on one line. */
export const recordLinesText = (
  head: Readonly<Record<string, unknown>>,
  list: string,
  records: ReadonlyArray<string>,
): string => {
  const fields = Object.entries(head).map(
    ([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}, `,
  )
  const lines = records.join(',\n')
  return `{${fields.join('')}${JSON.stringify(list)}: [${lines === '' ? '' : `\n${lines}\n`}]}\n`
}

/** Writes a committed map of records as JSON with one record a line, in the order of their names. */
export const recordMapText = (
  head: Readonly<Record<string, unknown>>,
  map: string,
  records: ReadonlyMap<string, unknown>,
): string => {
  const fields = Object.entries(head).map(
    ([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}, `,
  )
  const lines = [...records]
    .sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))
    .map(([name, record]) => `${JSON.stringify(name)}: ${JSON.stringify(record)}`)
    .join(',\n')
  return `{${fields.join('')}${JSON.stringify(map)}: {${lines === '' ? '' : `\n${lines}\n`}}}\n`
}
