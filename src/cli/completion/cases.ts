import type { PlacedCommand, WordValue } from './command-words.js'

/** A value as one word for a shell `case`: `folder`, `text`, or `words` followed by the words. */
const valueText = (value: WordValue): string => {
  switch (value._tag) {
    case 'Folder':
      return 'folder'
    case 'Text':
      return 'text'
    case 'Words':
      return `words ${value.words.join(' ')}`
  }
}

/**
 * A kind of value and where it occurs: `token mint|--repo` for an option, `demo|1` for the first argument.
 */
export interface ValueCase {
  readonly text: string
  readonly keys: ReadonlyArray<string>
}

/** The values that options and arguments take. An option or argument that is not listed takes none. */
export const valueCases = (placed: ReadonlyArray<PlacedCommand>): ReadonlyArray<ValueCase> => {
  const cases = new Map<string, Array<string>>()
  const add = (key: string, value: WordValue | null): void => {
    if (value === null) return
    const keys = cases.get(valueText(value))
    if (keys === undefined) cases.set(valueText(value), [key])
    else keys.push(key)
  }
  for (const { place, command } of placed) {
    for (const { names, value } of command.options) for (const name of names) add(`${place}|${name}`, value)
    command.values.forEach((value, at) => add(`${place}|${at + 1}`, value))
  }
  return [...cases].map(([text, keys]) => ({ text, keys }))
}
