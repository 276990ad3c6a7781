import type { ChatSelfReport, WhoamiByChat } from '#protocol/chat/workflows.js'
import type { AccountBinding } from './bindings.js'
import { type IdentityGround, identitiesOf, type Known } from './callers.js'
import { resolveCapabilities } from './grade.js'

export interface Announced {
  readonly chatId: string
  readonly gameId: string
  readonly gracz: string
  readonly alreadyLinked: boolean
  readonly displaces: string | null
  readonly replaces: PlayerName | null
}

/** The announcement of a registration. */
export const registrationSentence = (announced: Announced): string => parts(announced).join(' ')

/** The person who bound another person's account, and the role that allowed it. */
export interface Authorised {
  readonly chatId: string
  /** The Gracz that the actor's account speaks for; null when it is not linked. */
  readonly gracz: string | null
  readonly role: string
  readonly guildRole: string
}

/** The announcement of a binding that one person made for another. */
export const assignmentSentence = (announced: Announced, by: Authorised): string => {
  const actor = `konto czatu ${by.chatId}${by.gracz === null ? '' : ` (gracz ${quoteName(by.gracz)})`}`
  const role = `rola ${quoteName(by.role)} (na serwerze czatu: ${quoteName(by.guildRole)})`
  return [...parts(announced), `Powiązania dokonuje ${actor}; upoważnia do tego ${role}.`].join(' ')
}

/** The facts of a binding that its announcement states. */
export const announceBinding = (ground: IdentityGround, bound: AccountBinding, known: Known): Announced => {
  const { binding, alreadyLinked, displaces, replaces } = bound
  const before = replaces === null ? null : identitiesOf(ground).byGameId(replaces)
  return {
    chatId: binding.chatId,
    gameId: binding.gameId,
    gracz: known.identity.name,
    alreadyLinked,
    displaces,
    replaces: replaces === null ? null : { gameId: replaces, gracz: before?.identity.name ?? null },
  }
}

/** The chat settings of this host; `guildId` is empty when registration is off. */
export interface ChatSettings {
  readonly guildId: string
  readonly signInEnabled: boolean
}

/**
 * The answer to a chat account about itself only (A 2.2). It has the number of the account's capabilities,
 * never their names.
 */
export const selfReport = (
  ground: IdentityGround,
  settings: ChatSettings,
  { chatId, guildId }: WhoamiByChat,
): ChatSelfReport => {
  const gameId = ground.bindings.byChat.get(chatId)?.gameId ?? null
  const known = gameId === null ? null : identitiesOf(ground).byGameId(gameId)
  const isOfGuild = guildId !== undefined && guildId !== '' && settings.guildId !== ''
  return {
    chatId,
    linked: gameId !== null,
    gameId: gameId ?? '',
    gracz: known?.identity.name ?? '',
    graczResolves: known !== null,
    guildMatches: isOfGuild ? guildId === settings.guildId : null,
    signInEnabled: settings.signInEnabled,
    registrationEnabled: settings.guildId !== '',
    capabilityCount: known === null ? 0 : resolveCapabilities(known.holds).length,
  }
}

/**
 * Polish sentences about a binding, posted where everybody reads them: publicity keeps registrations honest
 * (A 4.4.1). Names are quoted and in the nominative, and no verb shows a gender (ADR 1031).
 */

/** A game id with the name of its Gracz; null when no person has the id today. */
interface PlayerName {
  readonly gameId: string
  readonly gracz: string | null
}

const quoteName = (name: string): string => `„${name}”`

const lossSentence = ({ gameId, gracz }: PlayerName): string =>
  gracz === null
    ? `Poprzednie powiązanie tego konta wygasa: id ${gameId}.`
    : `Poprzednie powiązanie tego konta wygasa: gracz ${quoteName(gracz)}, id ${gameId}.`

const parts = ({ chatId, gameId, gracz, alreadyLinked, displaces, replaces }: Announced) => [
  `Konto czatu ${chatId} jest ${alreadyLinked ? 'już' : 'teraz'} powiązane ` +
    `z graczem ${quoteName(gracz)} (id ${gameId}).`,
  ...(displaces === null ? [] : [`Konto czatu ${displaces} traci powiązanie z tym graczem.`]),
  ...(replaces === null ? [] : [lossSentence(replaces)]),
]
