/**
 * Sentences that are posted where everybody reads them: publicity is what keeps a registration honest (A 4.4.1). Names
 * stand in quotes and in the nominative, no verb tells a gender (ADR 1031).
 */

/** Whom an id means, by name; null where it means nobody any more. */
export interface Named {
  readonly gameId: string
  readonly gracz: string | null
}

export interface Announced {
  readonly chatId: string
  readonly gameId: string
  readonly gracz: string
  readonly alreadyLinked: boolean
  readonly displaces: string | null
  readonly replaces: Named | null
}

const quoted = (name: string): string => `„${name}”`

const lost = ({ gameId, gracz }: Named): string =>
  gracz === null
    ? `Poprzednie powiązanie tego konta wygasa: id ${gameId}.`
    : `Poprzednie powiązanie tego konta wygasa: gracz ${quoted(gracz)}, id ${gameId}.`

const parts = ({ chatId, gameId, gracz, alreadyLinked, displaces, replaces }: Announced) => [
  `Konto czatu ${chatId} jest ${alreadyLinked ? 'już' : 'teraz'} powiązane z graczem ${quoted(gracz)} (id ${gameId}).`,
  ...(displaces === null ? [] : [`Konto czatu ${displaces} traci powiązanie z tym graczem.`]),
  ...(replaces === null ? [] : [lost(replaces)]),
]

/** What is announced of a registration. */
export const registrationSentence = (announced: Announced): string => parts(announced).join(' ')

/** Who bound the account of somebody else, and by which role. */
export interface Authorised {
  readonly chatId: string
  /** Whom the account of the actor speaks for; null where it is not linked. */
  readonly gracz: string | null
  readonly role: string
  readonly guildRole: string
}

/** What is announced where somebody bound the account of another. */
export const assignmentSentence = (announced: Announced, by: Authorised): string => {
  const actor = `konto czatu ${by.chatId}${by.gracz === null ? '' : ` (gracz ${quoted(by.gracz)})`}`
  const role = `rola ${quoted(by.role)} (na serwerze czatu: ${quoted(by.guildRole)})`
  return [...parts(announced), `Powiązania dokonuje ${actor}; upoważnia do tego ${role}.`].join(' ')
}
