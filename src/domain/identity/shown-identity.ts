import type { Identity, KnownIdentity } from '#protocol/identity.js'
import type { Caller } from '#src/domain/callers/caller.js'
import { gradeOf } from './rights/grade.js'

/**
 * The part of an identity that a caller may see: what the roster shows, and the chat account only for the
 * person themselves or for a caller who links accounts (docs/spec/identity.md#shown). A hidden account is
 * absent; null means that there is none.
 */
export const visibleIdentity = (caller: Caller, { chatId, ...shown }: Identity): KnownIdentity =>
  caller.gameId === shown.gameId || gradeOf(caller.holds, 'identity.link') === 'full'
    ? { ...shown, chatId }
    : shown
