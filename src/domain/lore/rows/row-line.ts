import { type Line, shownOf } from '../lines/lines.js'
import { splitRange } from './range.js'
import type { Row } from './row.js'
import type { RangeText } from './row-change.js'
import { splitAutoMark, tagOf } from './rows.js'

export type ItemLine = Extract<Line, { _tag: 'Item' }>

/** The parts of the first line of a row, so that one part can be replaced. */
export interface RowLine {
  /** A tag line, or a bullet below one that is a separate row (FORMATS 1.6). */
  readonly kind: 'tag' | 'bullet'
  /** Indent, marker and tag, as written. */
  readonly before: string
  readonly value: string
  readonly range: RangeText
  readonly auto: boolean
}

/** Offset of the text of an item in what shows of its line. */
export const textStart = (line: ItemLine): number => shownOf(line).trimEnd().length - line.text.length

const isBullet = (text: string, row: Row): boolean =>
  splitRange(splitAutoMark(text).bare).text === (row.value.split('\n')[0] ?? '')

const insideOf = (bare: string): RangeText =>
  bare
    .slice(bare.lastIndexOf('(') + 1, -1)
    .split(':')
    .map(side => side.trim())
    .join(':')

/** Splits the first line of a row into its parts. */
export const rowLine = (line: ItemLine, row: Row): RowLine => {
  const kind = tagOf(line.text) === null || isBullet(line.text, row) ? 'bullet' : 'tag'
  const start = textStart(line) + (kind === 'tag' ? line.text.indexOf(':') + 1 : 0)
  const { auto, bare } = splitAutoMark(shownOf(line).slice(start).trim())
  const { text: value } = splitRange(bare)
  return {
    kind,
    before: shownOf(line).slice(0, start),
    value,
    range: value === bare ? '' : insideOf(bare),
    auto,
  }
}

/** Joins the parts of a row's first line. */
export const renderLine = ({ kind, before, value, range, auto }: RowLine): string => {
  const parts = [value, range === '' ? '' : `(${range})`, auto ? '(auto)' : ''].filter(part => part !== '')
  const gap = kind === 'tag' && parts.length > 0 ? ' ' : ''
  return before + gap + parts.join(' ')
}
