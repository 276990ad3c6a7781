import { type Either, isLeft, left, mapLeft, right } from 'fp-ts/lib/Either.js'
import type { CapabilityId } from '#protocol/atoms.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import type { Route } from '#protocol/route.js'
import type { Caller } from '#src/domain/callers/caller.js'
import {
  callerOf,
  type Doubt,
  floor,
  type IdentityGround,
  identitiesOf,
  type Known,
  resolveGameId,
} from './callers.js'
import { gradeOf, resolveCapabilities } from './grade.js'
import { holdsOf } from './roles.js'

/** A refusal whose sentence has no parameters. */
export const refusePlayer = <K extends keyof typeof sentences>(tag: K) => refuse(tag, sentences[tag])

const ofStore =
  (sentence: (file: string) => string) =>
  (file: string): RefusalOf<'StoreUnreadable'> =>
    refuse('StoreUnreadable', sentence(file), { file })

export const storeUnreadable = ofStore(
  file =>
    `Plik ${file} jest uszkodzony albo coś występuje w nim dwa razy, więc nic nie zostało zapisane. ` +
    'Najpierw trzeba go poprawić.',
)

export const storeFull = ofStore(
  file =>
    `Plik ${file} byłby za długi, żeby go odczytać, więc nic nie zostało zapisane. Najpierw trzeba go skrócić.`,
)

export const refuseReserved = (gameId: string): RefusalOf<'registration_reserved'> =>
  refuse(
    'registration_reserved',
    `Id ${gameId} daje więcej niż uprawnienia gracza. Takie konto może powiązać tylko osoba z odpowiednią rolą.`,
  )

export const notAuthorised = (declared: ReadonlyArray<string>): RefusalOf<'not_authorised'> => {
  const roles = declared.map(name => `„${name}”`).join(', ')
  return refuse(
    'not_authorised',
    `Cudze konto może powiązać tylko osoba z jedną z ról na serwerze czatu: ${roles}.`,
    { Declared: declared },
  )
}

export const roleTooWeak = (role: string, required: string): RefusalOf<'RoleTooWeak'> =>
  refuse('RoleTooWeak', `Rola „${role}” nie obejmuje uprawnienia ${required}, które daje to id.`, {
    role,
    required,
  })

/** The person that an account bound to this game id would speak for. The refusal is worded for the player. */
export const findByGameId = (
  ground: IdentityGround,
  gameId: string,
): Either<RefusalOf<'no_gracz_for_game_id' | 'ambiguous_game_id'>, Known> =>
  mapLeft(inDoubt(gameId))(resolveGameId(ground, gameId))

export type LinkRefusal = RefusalOf<'not_linked' | 'no_gracz_for_game_id' | 'ambiguous_game_id'>

/** The person that a chat account is linked to today. The refusal is worded for the player. */
export const findByChatId = (ground: IdentityGround, chatId: string): Either<LinkRefusal, Known> => {
  const binding = ground.bindings.byChat.get(chatId)
  return binding === undefined ? left(refusePlayer('not_linked')) : findByGameId(ground, binding.gameId)
}

/**
 * The caller of a row that the person of a chat account is, by their own rights (docs/spec/chat-workflows.md#person).
 * The refusal is worded for the player.
 */
export const speakFor = (
  ground: IdentityGround,
  chatId: string,
  { capability }: Pick<Route, 'capability'>,
): Either<LinkRefusal | RefusalOf<'Forbidden'>, Caller> => {
  const known = findByChatId(ground, chatId)
  if (isLeft(known)) return known
  return capability === null || gradeOf(known.right.holds, capability) === 'full'
    ? right(callerOf('session', known.right))
    : left(playerLacks(capability))
}

/**
 * The refusal of a bearer who names an account of the chat that is not their own; null where they may name it. The
 * right to speak for other accounts is that of the worker, `chat.dispatch` in full. The refusal is the same for an
 * account without a link, so that no caller learns which accounts have one.
 */
export const accountRefused = (
  { bindings }: Pick<IdentityGround, 'bindings'>,
  { holds, gameId }: Pick<Caller, 'holds' | 'gameId'>,
  chatId: string,
): RefusalOf<'Forbidden'> | null => {
  if (gradeOf(holds, 'chat.dispatch') === 'full') return null
  if (gameId !== null && bindings.byChat.get(chatId)?.gameId === gameId) return null
  const detail =
    'The token may name only the account of the chat that is linked to its own person. ' +
    'Use a token with the capability chat.dispatch to name another one.'
  return refuse('Forbidden', detail, { required: 'chat.dispatch' })
}

/** The 403 for a person who lacks a right. */
export const playerLacks = (required: CapabilityId): RefusalOf<'Forbidden'> =>
  refuse('Forbidden', `Twoje role nie dają do tego prawa. Poproś o nadanie prawa \`${required}\`.`, {
    required,
  })

/**
 * The first capability of one of the ids that neither `authority` nor the bundle `gracz` has; null when there
 * is none. With such a capability the authority may not bind an account to the id or take one away from it: a
 * binding would otherwise give rights that nobody granted (ADR 1019).
 */
export const beyondReach = (
  ground: IdentityGround,
  authority: ReadonlySet<string>,
  gameIds: ReadonlyArray<string | null>,
): CapabilityId | null => {
  const identities = identitiesOf(ground)
  const mine = new Set<string>(
    resolveCapabilities(new Set([...authority, ...holdsOf(ground.roles, [floor])])),
  )
  for (const gameId of gameIds) {
    const known = gameId === null ? null : identities.byGameId(gameId)
    const lacking = resolveCapabilities(known?.holds ?? new Set()).find(capability => !mine.has(capability))
    if (lacking !== undefined) return lacking
  }
  return null
}

/** The refusal for an interaction from outside the guild that this host serves; null inside it (A 4.4.3). */
export const guildRefused = (
  guildId: string | undefined,
  configured: string,
): RefusalOf<'registration_needs_guild' | 'wrong_guild'> | null => {
  if (guildId === undefined || guildId === '') return refusePlayer('registration_needs_guild')
  return guildId === configured ? null : refusePlayer('wrong_guild')
}

/**
 * Refusals that the worker shows to players, so in Polish; without gender and without cases of names (ADR
 * 1031).
 */

const sentences = {
  not_linked:
    'To konto czatu nie jest powiązane z żadnym Graczem. Zarejestruj się na serwerze czatu, podając swoje id z gry, ' +
    'albo poproś osobę z odpowiednią rolą o powiązanie konta.',
  registration_disabled:
    'Rejestracja przez czat jest tu wyłączona. Może ją włączyć osoba, która prowadzi tę kronikę.',
  registration_needs_guild: 'To polecenie działa tylko na serwerze czatu, nie w wiadomości prywatnej.',
  wrong_guild: 'To polecenie działa tylko na serwerze czatu, z którym jest połączona ta kronika.',
  roles_unreadable:
    'Nie udało się odczytać ról z serwera czatu, więc nie wiadomo, kto co może. Warto spróbować później.',
  invoker_has_no_roles:
    'To polecenie wymaga roli na serwerze czatu, a konto, z którego przyszło, nie ma żadnej.',
  no_role_declared:
    'Żadna rola w pliku kontrybutorów nie ma wiersza @chat_rola, więc nikt nie może powiązać cudzego konta.',
} as const

const ambiguous = (sentence: string, matches: ReadonlyArray<string>): RefusalOf<'ambiguous_game_id'> =>
  refuse('ambiguous_game_id', `${sentence} Potrzebna jest poprawka w pliku kontrybutorów.`, { matches })

/** The refusal for a game id that does not identify one person. */
const inDoubt =
  (gameId: string) =>
  (doubt: Doubt): RefusalOf<'no_gracz_for_game_id' | 'ambiguous_game_id'> => {
    switch (doubt._tag) {
      case 'Nobody':
        return refuse(
          'no_gracz_for_game_id',
          `Żaden Gracz nie ma dziś id „${gameId}”. Warto sprawdzić, czy id jest poprawne.`,
        )
      case 'Several':
        return ambiguous(`Id ${gameId} ma dziś więcej niż jeden Gracz.`, doubt.names)
      case 'OneOfTwo':
        return ambiguous(`Gracz z id ${gameId} ma dziś więcej niż jedno id.`, doubt.names)
    }
  }
