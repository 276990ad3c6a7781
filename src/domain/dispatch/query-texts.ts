import type { Day } from '#protocol/atoms.js'
import { escapeChatText } from '#src/domain/chat/attempts.js'
import { locationOn } from '#src/domain/entities/entity.js'
import { visibleEntity } from '#src/domain/entities/projection.js'
import { type Decimal, type Figures, formatFixed2 } from '#src/domain/lore/figures.js'
import type { Character } from '#src/domain/people/characters.js'

/**
 * The Polish lines of answers in the chat. Names are quoted and in the nominative, and no verb shows a gender. What
 * the lore has is escaped, because others wrote it.
 */

/** The answer to an account that is bound to no game id. */
export const unlinkedText = (canRegister: boolean): string =>
  'To konto czatu nie jest powiązane z żadnym Graczem. ' +
  (canRegister
    ? 'Zarejestruj się na serwerze czatu, podając swoje id z gry, i ponów pytanie.'
    : 'Poproś osobę z odpowiednią rolą o powiązanie konta z Twoim id z gry.')

/** The answer to an account whose game id does not belong to exactly one Gracz today. */
export const unresolvedText = (gameId: string): string =>
  `To konto czatu jest powiązane z id ${escapeChatText(gameId)}, ` +
  'ale to id nie należy dziś do dokładnie jednego Gracza. Poproś o poprawienie spisu Graczy.'

export const noPointsRightText =
  'Twoje role nie dają prawa do wglądu w PU. Poproś o nadanie prawa `pu.read.own`.'

export const noCharactersText = (gracz: string): string =>
  `Gracz „${escapeChatText(gracz)}” nie ma żadnej Postaci.`

const figureText = (value: Decimal | null): string => (value === null ? 'BRAK' : formatFixed2(value))

export const pointsHeading = (gracz: string): string => `PU Postaci Gracza „${escapeChatText(gracz)}”:`

export const pointsLine = (name: string, { suma, zdobyte, nadmiar }: Figures): string =>
  `• „${escapeChatText(name)}”: SUMA ${figureText(suma)}, ZDOBYTE ${figureText(zdobyte)}, ` +
  `NADMIAR ${figureText(nadmiar)}`

/** The lines about the sessions of a month in which a character earned PU. */
export const monthLines = (
  month: string,
  earned: { readonly pu: Decimal; readonly headers: ReadonlyArray<string> } | undefined,
): ReadonlyArray<string> =>
  earned === undefined
    ? [`  Sesje w miesiącu ${month}: brak`]
    : [
        `  Sesje w miesiącu ${month} (razem ${formatFixed2(earned.pu)} PU):`,
        ...earned.headers.map(header => `  – ${escapeChatText(header)}`),
      ]

export const noOpenText = (gracz: string): string =>
  `Narrator „${escapeChatText(gracz)}” nie ma otwartych sesji.`

export const openHeading = (gracz: string, count: number): string =>
  `Otwarte sesje Narratora „${escapeChatText(gracz)}” (${count}):`

export const openLine = (header: string): string => `• ${escapeChatText(header)}`

export const statusHeading = (gracz: string, gameId: string): string =>
  `To konto czatu jest powiązane z Graczem „${escapeChatText(gracz)}” (id ${escapeChatText(gameId)}).`

export const rolesLine = (roles: ReadonlyArray<string>): string =>
  `Role: ${roles.length === 0 ? 'brak' : roles.map(escapeChatText).join(', ')}`

export const characterLine = ({ entity, name, status }: Character, day: Day): string => {
  const place = escapeChatText(locationOn(visibleEntity(entity), day) ?? 'nieznane')
  return `• „${escapeChatText(name)}”: ${escapeChatText(status)}, miejsce: ${place}`
}
