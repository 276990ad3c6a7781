import { compareDecimals, type Decimal, formatFixed2, zero } from '#src/domain/lore/decimal.js'

/** The facts in the notice of an award (FORMATS 6.5). */
export interface PointsNotice {
  readonly character: string
  readonly player: string
  readonly granted: Decimal
  readonly sumaAfter: Decimal
  readonly used: Decimal
  readonly nadmiarAfter: Decimal
}

/** The notice for one character, in the exact words that players know (FORMATS 6.5). */
export const noticeOf = (award: PointsNotice): string => {
  const drawn =
    compareDecimals(award.used, zero) > 0 ? `, wykorzystano PU nadmiarowe: ${formatFixed2(award.used)}` : ''
  const left =
    compareDecimals(award.nadmiarAfter, zero) > 0
      ? `, pozostałe PU nadmiarowe: ${formatFixed2(award.nadmiarAfter)}`
      : ''
  return [
    `Postać "${award.character}" (Gracz "${award.player}") otrzymuje ${formatFixed2(award.granted)} PU.`,
    `Aktualna suma PU tej Postaci: ${formatFixed2(award.sumaAfter)}${drawn}${left}`,
  ].join('\n')
}

/** One message per player: the notices of the characters, with a blank line between them (FORMATS 6.5). */
export const messageOf = (awards: ReadonlyArray<PointsNotice>): string => awards.map(noticeOf).join('\n\n')
