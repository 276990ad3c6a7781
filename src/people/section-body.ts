import type { Line } from '#src/lore/lines.js'

/** A section as it stands: the texts on its header lines and the lines below. */
export interface SectionBody {
  /** Line of its header, counted from 1. */
  readonly line: number
  readonly inline: string
  readonly lines: ReadonlyArray<Line>
}

/** Text of a line inside a section; a fenced line is opaque and taken as it stands. */
export const lineText = (line: Line): string =>
  line._tag === 'Fenced' ? line.raw : line._tag === 'Blank' ? '' : line.text

/** `Brak`, `Brak.`, with or without a bullet, or nothing. */
export const isNone = (text: string): boolean => /^(?:-\s*)?(?:brak\.?)?$/iu.test(text.trim())

/**
 * Entries of a list section: a bullet or a line at the margin each; deeper lines are joined to the entry
 * above them.
 */
export const entriesOf = (body: SectionBody): ReadonlyArray<string> => {
  const entries: Array<{ readonly indent: number; readonly text: Array<string> }> = []
  for (const line of body.lines) {
    if (line._tag === 'Blank') continue
    const last = entries.at(-1)
    const indent = line._tag === 'Item' || line._tag === 'Text' ? line.indent : 0
    const belongs = last !== undefined && (line._tag === 'Fenced' || indent > last.indent)
    const text = lineText(line)
    if (belongs) last.text.push(line._tag === 'Item' ? `- ${text}` : text)
    else entries.push({ indent, text: [text] })
  }
  return entries.map(entry => entry.text.join('\n')).filter(text => !isNone(text))
}
