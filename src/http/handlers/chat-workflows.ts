import { left, right } from 'fp-ts/lib/Either.js'
import type { workflowRoutes } from '#protocol/chat/workflow-routes.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import type { Handlers } from '#src/http/handler.js'
import { guildRefused } from '#src/identity/links/guild.js'
import { registrationDisabled } from '#src/identity/links/messages.js'
import { pickedPeople } from '#src/identity/links/picked-people.js'
import { registered } from '#src/identity/links/register.js'
import { selfReport } from '#src/identity/links/self-report.js'
import { rosterAt } from './cast.js'

const missing = (field: string): RefusalOf<'BodyInvalid'> =>
  refuse('BodyInvalid', `A text is wanted at ${field}.`, { path: `$.${field}` })

export const chatWorkflows: Handlers<typeof workflowRoutes> = {
  'workflows.registerByChat': ({ body: { chatId, gameId, guildId }, node }) => {
    if (node.chat.guildId === '') return left(registrationDisabled)
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
}
