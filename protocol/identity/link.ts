import * as t from 'io-ts'
import { ChatId, GameId } from '../atoms.js'
import { previewOf } from '../dry-run.js'

const orNull = t.union([t.string, t.null])

/**
 * The result of a binding: `gracz` is the person that the id means today, `displaces` the account that lost
 * the id, `replaces` the id that the account had before; both null when there is none.
 */
export const bindingFields = {
  chatId: t.string,
  gameId: t.string,
  gracz: t.string,
  displaces: orNull,
  replaces: orNull,
} as const

/** `POST /auth/link` (D42). */
export const AccountLink = t.type({ gameId: GameId, chatId: ChatId }, 'AccountLink')
export type AccountLink = t.TypeOf<typeof AccountLink>

const status = { status: t.keyof({ linked: null, already_linked: null }) } as const

const AccountLinked = t.type({ ...status, ...bindingFields }, 'AccountLinked')
const AccountLinkPreview = previewOf(
  { wouldLink: t.string, ...status, ...bindingFields },
  'AccountLinkPreview',
)
export const AccountLinkAnswer = t.union([AccountLinked, AccountLinkPreview], 'AccountLinkAnswer')
export type AccountLinkAnswer = t.TypeOf<typeof AccountLinkAnswer>
