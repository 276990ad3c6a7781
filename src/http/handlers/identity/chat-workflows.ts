import { isLeft, left, right } from 'fp-ts/lib/Either.js'
import type { AssignByChat } from '#protocol/chat/assign.js'
import type { workflowRoutes } from '#protocol/chat/workflow-routes.js'
import { bodyInvalid, type RefusalOf } from '#protocol/refusal.js'
import { guildRefused } from '#src/domain/identity/links/guild.js'
import { decides, declaredRoles } from '#src/domain/identity/links/guild-authority.js'
import { pickedPeople } from '#src/domain/identity/links/picked-people.js'
import { toldPlayer } from '#src/domain/identity/links/player-refusals.js'
import { selfReport } from '#src/domain/identity/links/self-report.js'
import { rosterAt } from '#src/http/handlers/cast.js'
import type { Handlers } from '#src/http/routing/handler.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { assigned } from '#src/writing/identity/assign.js'
import { registered } from '#src/writing/identity/register.js'
import type { ChatWorkflowsDeps } from './identity-deps.js'

const missing = (field: string): RefusalOf<'BodyInvalid'> =>
  bodyInvalid(`A text is wanted at ${field}.`, { path: `$.${field}`, expected: 'a text' })

/** What is known to be refused before the guild is asked for its roles. */
const unasked = ({ guildId, roles = [] }: AssignByChat, configured: string, { people }: Snapshot) => {
  const outside = configured === '' ? null : guildRefused(guildId, configured)
  if (outside !== null) return outside
  if (declaredRoles(people.roles).length === 0) return toldPlayer('no_role_declared')
  if (roles.length === 0) return toldPlayer('invoker_has_no_roles')
  return configured === '' ? toldPlayer('roles_unreadable') : null
}

export const chatWorkflowsHandlers: Handlers<typeof workflowRoutes, ChatWorkflowsDeps> = {
  'workflows.registerByChat': ({ body: { chatId, gameId, guildId }, node }) => {
    if (node.chat.guildId === '') return left(toldPlayer('registration_disabled'))
    if (chatId === undefined) return left(missing('chatId'))
    if (gameId === undefined) return left(missing('gameId'))
    const refusal = guildRefused(guildId, node.chat.guildId)
    if (refusal !== null) return left(refusal)
    return right({ plan: (snapshot, nowMs) => registered(snapshot, { chatId, gameId }, nowMs) })
  },
  'workflows.whoamiByChat': ({ body, snapshot, node }) =>
    right({ body: selfReport(snapshot, node.chat, body) }),
  'workflows.peopleByChat': ({ body: { prefix = '' }, snapshot }) =>
    right({ body: pickedPeople(rosterAt(snapshot).listed, snapshot.bindings, prefix) }),
  'workflows.assignByChat': async ({ body, snapshot, node }) => {
    const refusal = unasked(body, node.chat.guildId, snapshot)
    if (refusal !== null) return left(refusal)
    const { chatId, roles: held = [] } = body
    const guild = await node.guildRoles(roles => decides(snapshot.people.roles, roles, held))
    if (isLeft(guild)) return left(toldPlayer('roles_unreadable'))
    const assigner = { chatId, held, guild: guild.right }
    return right({ plan: (current, nowMs) => assigned(current, assigner, body, nowMs) })
  },
}
