import type { Identity } from '#protocol/identity/identity.js'
import type { KnownIdentity } from '#protocol/identity/whoami.js'
import type { Caller } from '#src/domain/callers/caller.js'
import { grade } from './rights/grade.js'

/**
 * What a caller learns of a person: what the roster shows, and the chat account only of themselves or as one who links
 * accounts (docs/spec/identity.md#shown). An account that is not shown is absent; null means that there is
 * none.
 */
export const shownIdentity = (caller: Caller, { chatId, ...shown }: Identity): KnownIdentity =>
  caller.gameId === shown.gameId || grade(caller.holds, 'identity.link') === 'full'
    ? { ...shown, chatId }
    : shown
