import type { Line } from '#src/domain/lore/lines/lines.js'

/** A section: the texts on its header lines, and the lines below. */
export interface SectionBody {
  /** Line of its header, counted from 1. */
  readonly line: number
  readonly inline: string
  readonly lines: ReadonlyArray<Line>
}

/** Text of a line in a section; a fenced line is kept as written. */
export const lineText = (line: Line): string =>
  line._tag === 'Fenced' ? line.raw : 'text' in line ? line.text : ''

/** Whether a text is empty, `Brak` or `Brak.`, with or without a bullet. */
export const isNone = (text: string): boolean => /^(?:-\s*)?(?:brak\.?)?$/iu.test(text.trim())

/**
 * An entry of a list section: its text, with continuation lines joined by a newline, and its first and last
 * line.
 */
export interface PlacedEntry {
  readonly text: string
  readonly first: Line
  readonly last: Line
}

const indentOf = (line: Line): number => (line._tag === 'Item' || line._tag === 'Text' ? line.indent : 0)

/**
 * Every bullet and every line at the margin of a list section, including the word for none. Deeper lines are
 * joined to the entry above them.
 */
export const placeEntries = (body: SectionBody): ReadonlyArray<PlacedEntry> => {
  const entries: Array<PlacedEntry> = []
  for (const line of body.lines) {
    if (line._tag === 'Blank' || line._tag === 'Hidden') continue
    const above = entries.at(-1)
    const belongs = above !== undefined && (line._tag === 'Fenced' || indentOf(line) > indentOf(above.first))
    const text = lineText(line)
    if (belongs) {
      const more = line._tag === 'Item' ? `- ${text}` : text
      entries[entries.length - 1] = { ...above, text: `${above.text}\n${more}`, last: line }
    } else entries.push({ text, first: line, last: line })
  }
  return entries
}

/** The texts of the entries of a list section, without the word for none. */
export const entriesOf = (body: SectionBody): ReadonlyArray<string> =>
  placeEntries(body)
    .map(entry => entry.text)
    .filter(text => !isNone(text))
