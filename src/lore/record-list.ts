/**
 * A committed list of records as JSON with one record a line, so that a text merge of two lists and a diff of them
 * are about records. `head` holds the fields that stand before the list.
 */
export const recordListText = (
  head: Readonly<Record<string, unknown>>,
  list: string,
  records: ReadonlyArray<unknown>,
): string => {
  const fields = Object.entries(head).map(
    ([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}, `,
  )
  const lines = records.map(record => JSON.stringify(record)).join(',\n')
  return `{${fields.join('')}${JSON.stringify(list)}: [${lines === '' ? '' : `\n${lines}\n`}]}\n`
}
