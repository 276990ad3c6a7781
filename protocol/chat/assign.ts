import * as t from 'io-ts'
import { previewOf } from '../dry-run.js'
import { bindingFields } from '../identity/link.js'
import { ChatId, GameId } from './account.js'

/**
 * `POST /workflows/assign-by-chat` (A 4.4, ADR 1019): `chatId` is the account of the verified interaction,
 * `roles` are the ids of the guild roles in it; `targetChatId` is the account to bind.
 */
export const AssignByChat = t.intersection(
  [
    t.type({ chatId: ChatId, targetChatId: ChatId, gameId: GameId }),
    t.partial({ guildId: t.string, roles: t.readonlyArray(ChatId) }),
  ],
  'AssignByChat',
)
export type AssignByChat = t.TypeOf<typeof AssignByChat>

/** `chatId` is the bound account; `role` is that of the store, `guildRole` the guild role that it names. */
const assignment = {
  status: t.keyof({ assigned: null, already_linked: null }),
  ...bindingFields,
  role: t.string,
  guildRole: t.string,
  announcement: t.string,
} as const

export const Assigned = t.type(assignment, 'Assigned')
export const AssignPreview = previewOf({ wouldAssign: t.string, ...assignment }, 'AssignPreview')
export const AssignAnswer = t.union([Assigned, AssignPreview], 'AssignAnswer')
export type AssignAnswer = t.TypeOf<typeof AssignAnswer>
