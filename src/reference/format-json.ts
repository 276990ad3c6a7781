const columnsMax = 100
const itemsShown = 3

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const inOneLine = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(inOneLine).join(', ')}]`
  if (!isObject(value)) return JSON.stringify(value)
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}: ${inOneLine(member)}`)
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}

const indentLines = (lines: ReadonlyArray<string>): string =>
  lines
    .join(',\n')
    .split('\n')
    .map(line => `  ${line}`)
    .join('\n')

const within = (value: unknown, columns: number): string => {
  const line = inOneLine(value)
  if (line.length <= columns) return line
  if (Array.isArray(value)) return `[\n${indentLines(value.map(item => within(item, columns - 2)))}\n]`
  if (!isObject(value)) return line
  const members = Object.entries(value).map(
    ([key, member]) =>
      `${JSON.stringify(key)}: ${within(member, columns - 2 - JSON.stringify(key).length - 2)}`,
  )
  return `{\n${indentLines(members)}\n}`
}

/** Formats JSON for people: an object or a list is on one line where it fits into 100 columns. */
export const formatJson = (value: unknown): string => within(value, columnsMax)

/** Cuts every list of the value to its first 3 items; also returns how many items were left out. */
export const cutLists = (value: unknown): readonly [value: unknown, leftOut: number] => {
  if (Array.isArray(value)) {
    const shown = value.slice(0, itemsShown).map(cutLists)
    const inner = shown.reduce((sum, [, leftOut]) => sum + leftOut, 0)
    return [shown.map(([item]) => item), inner + value.length - shown.length]
  }
  if (!isObject(value)) return [value, 0]
  const members = Object.entries(value).map(([key, member]) => [key, cutLists(member)] as const)
  return [
    Object.fromEntries(members.map(([key, [member]]) => [key, member])),
    members.reduce((sum, [, [, leftOut]]) => sum + leftOut, 0),
  ]
}
