import { compare, type Decimal, fixed2, zero } from './decimal.js'

/** What the notice of an award tells of (FORMATS 6.5). */
export interface Noticed {
  readonly character: string
  readonly player: string
  readonly granted: Decimal
  readonly sumaAfter: Decimal
  readonly used: Decimal
  readonly nadmiarAfter: Decimal
}

/** The notice of one character, word for word as players know it (FORMATS 6.5). */
export const noticeOf = (award: Noticed): string => {
  const drawn = compare(award.used, zero) > 0 ? `, wykorzystano PU nadmiarowe: ${fixed2(award.used)}` : ''
  const left =
    compare(award.nadmiarAfter, zero) > 0 ? `, pozostałe PU nadmiarowe: ${fixed2(award.nadmiarAfter)}` : ''
  return [
    `Postać "${award.character}" (Gracz "${award.player}") otrzymuje ${fixed2(award.granted)} PU.`,
    `Aktualna suma PU tej Postaci: ${fixed2(award.sumaAfter)}${drawn}${left}`,
  ].join('\n')
}

/** One message per player: the notices of the characters, a blank line between (FORMATS 6.5). */
export const messageOf = (awards: ReadonlyArray<Noticed>): string => awards.map(noticeOf).join('\n\n')
