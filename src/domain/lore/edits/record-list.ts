/**
 * A committed list of records as JSON with one record a line, so that a text merge of two lists and a diff of them
 * are about records. `head` holds the fields that stand before the list.
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

/** The same of records that are JSON already, each on one line. */
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
