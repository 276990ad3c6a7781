import { compare, type Decimal, fixed2, zero } from './decimal.js'

/** The facts in the notice of an award (FORMATS 6.5). */
export interface Noticed {
  readonly character: string
  readonly player: string
  readonly granted: Decimal
  readonly sumaAfter: Decimal
  readonly used: Decimal
  readonly nadmiarAfter: Decimal
}

/** The notice for one character, in the exact words that players know (FORMATS 6.5). */
export const noticeOf = (award: Noticed): string => {
  const drawn = compare(award.used, zero) > 0 ? `, wykorzystano PU nadmiarowe: ${fixed2(award.used)}` : ''
  const left =
    compare(award.nadmiarAfter, zero) > 0 ? `, pozostałe PU nadmiarowe: ${fixed2(award.nadmiarAfter)}` : ''
  return [
    `Postać "${award.character}" (Gracz "${award.player}") otrzymuje ${fixed2(award.granted)} PU.`,
    `Aktualna suma PU tej Postaci: ${fixed2(award.sumaAfter)}${drawn}${left}`,
  ].join('\n')
}

/** One message per player: the notices of the characters, with a blank line between them (FORMATS 6.5). */
export const messageOf = (awards: ReadonlyArray<Noticed>): string => awards.map(noticeOf).join('\n\n')
