import type { Line } from '#src/domain/lore/lines.js'
import { isNone, type ReputationEntry } from './section-body.js'

export type Reputation = Readonly<Record<ReputationTier, ReadonlyArray<ReputationEntry>>>

/**
 * Parses one place of a reputation: `Place`, `Place (detail)` or `Place: detail`, where the place before a
 * colon may be `Leaf (Parent)`. Null for `-`, `Brak.` and an empty text.
 */
export const reputationEntry = (written: string): ReputationEntry | null => {
  const text = written.trim().replace(/,$/u, '').trimEnd()
  if (text === '-' || isNone(text)) return null
  const [colon, paren] = [outerColon(text), text.indexOf('(')]
  const split = (at: number, detail: string): ReputationEntry => ({
    location: text.slice(0, at).trim(),
    detail: detail.trim() === '' ? null : detail.trim(),
  })
  if (colon > 0) return split(colon, text.slice(colon + 1))
  if (paren > 0 && text.endsWith(')')) return split(paren, text.slice(paren + 1, -1))
  return { location: text, detail: null }
}

/** Parses the lines of the section `Reputacja`; `astray` are lines that belong to no tier. */
export const reputationOf = (
  lines: ReadonlyArray<Line>,
): { readonly reputation: Reputation; readonly astray: ReadonlyArray<Line> } => {
  const reading: Reading = {
    tiers: { positive: [], neutral: [], negative: [] },
    astray: [],
    tier: null,
    tierIndent: 0,
    entryIndent: -1,
  }
  for (const line of lines) take(reading, line)
  return { reputation: reading.tiers, astray: reading.astray }
}

type ReputationTier = 'positive' | 'neutral' | 'negative'

const tierNames: ReadonlyMap<string, ReputationTier> = new Map([
  ['pozytywna', 'positive'],
  ['neutralna', 'neutral'],
  ['negatywna', 'negative'],
])

/** Index of the first colon outside parentheses; -1 when there is none. */
const outerColon = (text: string): number => {
  let depth = 0
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at]
    if (char === '(') depth += 1
    else if (char === ')') depth = Math.max(0, depth - 1)
    else if (char === ':' && depth === 0) return at
  }
  return -1
}

/** Splits at commas outside parentheses. */
const commaList = (text: string): ReadonlyArray<string> => {
  const parts: Array<string> = []
  let [depth, start] = [0, 0]
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at]
    if (char === '(') depth += 1
    else if (char === ')') depth = Math.max(0, depth - 1)
    else if (char === ',' && depth === 0) {
      parts.push(text.slice(start, at))
      start = at + 1
    }
  }
  return [...parts, text.slice(start)]
}

const reputationList = (text: string): ReadonlyArray<ReputationEntry> =>
  commaList(text).flatMap(part => reputationEntry(part) ?? [])

/** Mutable state of one `reputationOf` run; it never leaves this file. */
interface Reading {
  readonly tiers: Record<ReputationTier, Array<ReputationEntry>>
  readonly astray: Array<Line>
  tier: ReputationTier | null
  tierIndent: number
  entryIndent: number
}

const tierLine = (text: string): { readonly tier: ReputationTier; readonly inline: string } | null => {
  const colon = text.indexOf(':')
  const tier =
    colon < 0 ? undefined : tierNames.get(text.slice(0, colon).replaceAll('*', '').trim().toLowerCase())
  return tier === undefined
    ? null
    : {
        tier,
        inline: text
          .slice(colon + 1)
          .replace(/^\*+/u, '')
          .trim(),
      }
}

/** Adds entries one by one: a line may have more entries than a call takes arguments. */
const addAll = (entries: Array<ReputationEntry>, more: ReadonlyArray<ReputationEntry>): void => {
  for (const entry of more) entries.push(entry)
}

const addDetail = (entries: Array<ReputationEntry>, more: string): void => {
  const last = entries.pop()
  if (last !== undefined)
    entries.push({ ...last, detail: last.detail === null ? more : `${last.detail}; ${more}` })
}

const below = (
  reading: Reading,
  tier: ReputationTier,
  line: Extract<Line, { _tag: 'Item' | 'Text' }>,
): void => {
  const entries = reading.tiers[tier]
  if (line._tag === 'Text') return addAll(entries, reputationList(line.text))
  if (entries.length > 0 && reading.entryIndent >= 0 && line.indent > reading.entryIndent)
    return addDetail(entries, line.text.replace(/,$/u, '').trimEnd())
  const entry = reputationEntry(line.text)
  reading.entryIndent = line.indent
  if (entry !== null) entries.push(entry)
}

const take = (reading: Reading, line: Line): void => {
  if (line._tag === 'Blank') return
  if (line._tag !== 'Item' && line._tag !== 'Text') return void reading.astray.push(line)
  if (reading.tier !== null && line.indent > reading.tierIndent) return below(reading, reading.tier, line)
  const found = tierLine(line.text)
  if (found === null) {
    if (!isNone(line.text)) reading.astray.push(line)
    reading.tier = null
    return
  }
  reading.tier = found.tier
  reading.tierIndent = line.indent
  reading.entryIndent = -1
  addAll(reading.tiers[found.tier], reputationList(found.inline))
}
