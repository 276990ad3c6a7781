import { isLeft, left, right } from 'fp-ts/lib/Either.js'
import type { AssignByChat } from '#protocol/chat/platform.js'
import type { workflowRoutes } from '#protocol/chat/workflows.js'
import { selfReport } from '#src/domain/identity/announcements.js'
import { canDecideFromCache, chatRolesOf, pickPeople } from '#src/domain/identity/bindings.js'
import { guildRefused, refusePlayer } from '#src/domain/identity/player-refusals.js'
import { rosterAt } from '#src/http/handlers/cast.js'
import type { Handlers } from '#src/http/routing/handler.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { registrationOf } from '#src/writing/identity/links.js'
import type { ChatWorkflowsDeps } from './identity-deps.js'

/** Refuses what can be refused before the guild is asked for its roles; otherwise null. */
const refuseBeforeAsking = (
  { guildId, roles = [] }: AssignByChat,
  configured: string,
  { people }: Snapshot,
) => {
  const outside = configured === '' ? null : guildRefused(guildId, configured)
  if (outside !== null) return outside
  if (chatRolesOf(people.roles).length === 0) return refusePlayer('no_role_declared')
  if (roles.length === 0) return refusePlayer('invoker_has_no_roles')
  return configured === '' ? refusePlayer('roles_unreadable') : null
}

export const chatWorkflowsHandlers: Handlers<typeof workflowRoutes, ChatWorkflowsDeps> = {
  'workflows.registerByChat': ({ body, node }) => {
    if (node.chat.guildId === '') return left(refusePlayer('registration_disabled'))
    const registration = registrationOf(body)
    if (isLeft(registration)) return registration
    const refusal = guildRefused(body.guildId, node.chat.guildId)
    return refusal === null ? right({ prepared: null }) : left(refusal)
  },
  'workflows.getWhoamiByChat': ({ body, snapshot, node }) =>
    right({ body: selfReport(snapshot, node.chat, body) }),
  'workflows.findPeopleByChat': ({ body: { prefix = '' }, snapshot }) =>
    right({ body: pickPeople(rosterAt(snapshot).listed, snapshot.bindings, prefix) }),
  'workflows.assignByChat': async ({ body, snapshot, node }) => {
    const refusal = refuseBeforeAsking(body, node.chat.guildId, snapshot)
    if (refusal !== null) return left(refusal)
    const { roles: held = [] } = body
    const guild = await node.guildRoles(roles => canDecideFromCache(snapshot.people.roles, roles, held))
    return isLeft(guild) ? left(refusePlayer('roles_unreadable')) : right({ prepared: guild.right })
  },
}
