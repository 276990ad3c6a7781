import { isLeft, left, right } from 'fp-ts/lib/Either.js'
import { instantOf } from '#protocol/atoms/instant.js'
import type { NamedTokenRow } from '#protocol/identity/named-token.js'
import type { tokenRoutes } from '#protocol/identity/token-routes.js'
import { refuse } from '#protocol/refusal.js'
import type { Handlers } from '#src/http/handler.js'
import type { Caller } from '#src/identity/caller.js'
import { frozenSet } from '#src/identity/tokens/frozen-set.js'
import type { NamedToken } from '#src/ports/named-tokens.js'

const instantOrNull = (ms: number | null) => (ms === null ? null : instantOf(ms))

const rowOf = ({ id, name, capabilities, createdMs, expiresMs, by }: NamedToken): NamedTokenRow => ({
  id,
  name,
  capabilities,
  created: instantOf(createdMs),
  expires: instantOrNull(expiresMs),
  by,
})

const nameOf = ({ gracz, kind }: Caller): string => gracz ?? kind

export const tokens: Handlers<typeof tokenRoutes> = {
  'tokens.mint': ({ body, caller, node, dryRun, nowMs }) => {
    const { name, expiresIn } = body
    const frozen = frozenSet(caller.holds, body.capabilities)
    if (isLeft(frozen)) return frozen
    const capabilities = frozen.right
    const expiresMs = expiresIn === undefined ? null : nowMs + expiresIn * 1000
    if (dryRun)
      return right({
        body: { wouldMint: name, capabilities, expires: instantOrNull(expiresMs) },
        status: 200,
      })
    const minted = node.namedTokens.mint({ name, capabilities, expiresMs, by: nameOf(caller) }, nowMs)
    if (isLeft(minted)) return minted
    return right({ body: { token: minted.right.token, ...rowOf(minted.right.kept) } })
  },
  'tokens.list': ({ node, nowMs }) => {
    const items = node.namedTokens.list(nowMs).map(rowOf)
    return right({ body: { count: items.length, items } })
  },
  'tokens.revoke': ({ path, caller, node, dryRun, nowMs }) => {
    const found = node.namedTokens.list(nowMs).find(token => token.id === path.id)
    if (found === undefined)
      return left(refuse('TokenNotFound', 'This host has no such named token; GET /tokens lists them.'))
    const { id, name } = found
    if (dryRun) return right({ body: { id, name, revoked: false } })
    const gone = node.namedTokens.revoke(id, nameOf(caller))
    return isLeft(gone) ? gone : right({ body: { id, name, revoked: true } })
  },
}
