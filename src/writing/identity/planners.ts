import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { instantOf } from '#protocol/atoms.js'
import type { workflowRoutes } from '#protocol/chat/workflows.js'
import type { rightsRoutes } from '#protocol/identity.js'
import type { ApiKeyAnswer, apiKeyRoutes, linkRoutes } from '#protocol/sign-in.js'
import { callerName } from '#src/domain/callers/caller.js'
import { decodePrepared, type Planners } from '../planner.js'
import { assignAccount } from './assign.js'
import { type Issued, issuePlan, noHash } from './issue-api-key.js'
import { linkAccount } from './link.js'
import { registerAccount, registrationOf } from './register.js'
import { grantPlan, revokePlan } from './write-grants.js'

/** A key that was made before its hash is committed; null in a dry run, which makes none. */
const PreparedKey = t.union([t.null, t.type({ hash: t.string, code: t.string, expiresMs: t.number })])

/** The roles of the guild when the command was made. */
const PreparedRoles = t.readonlyArray(t.type({ id: t.string, name: t.string }))

const answerOf =
  (gameId: string, key: t.TypeOf<typeof PreparedKey>) =>
  (issued: Issued): ApiKeyAnswer =>
    key === null
      ? { wouldIssue: gameId, ...issued, diff: '' }
      : { issued: gameId, ...issued, claim: key.code, expires: instantOf(key.expiresMs) }

type IdentityRoutes = typeof linkRoutes & typeof rightsRoutes & typeof apiKeyRoutes & typeof workflowRoutes

/** Planners of the writes of accounts, grants, bindings and api keys (A 4.3, A 4.4). */
export const identityPlanners: Planners<IdentityRoutes> = {
  'auth.link': (snapshot, { body, caller, nowMs }) =>
    linkAccount(snapshot, { holds: caller.holds, name: callerName(caller) }, body, nowMs),
  'capabilities.grant': (snapshot, { body, caller, nowMs }) =>
    grantPlan(body, { by: callerName(caller), holds: caller.holds })(snapshot, nowMs),
  'capabilities.revoke': (snapshot, { body }) => revokePlan(body)(snapshot),
  'apiKeys.issue': (snapshot, { body: { gameId }, caller, prepared }) => {
    const key = decodePrepared(PreparedKey, prepared)
    return issuePlan(gameId, key?.hash ?? noHash, caller, answerOf(gameId, key))(snapshot)
  },
  'workflows.registerByChat': (snapshot, { body, nowMs }) => {
    const registration = registrationOf(body)
    return isLeft(registration) ? registration : registerAccount(snapshot, registration.right, nowMs)
  },
  'workflows.assignByChat': (snapshot, { body, nowMs, prepared }) => {
    const { chatId, roles: held = [] } = body
    const guild = decodePrepared(PreparedRoles, prepared)
    return assignAccount(snapshot, { chatId, held, guild }, body, nowMs)
  },
}
