import type { Route } from '#protocol/route.js'
import { type Caller, callerName } from '#src/domain/callers/caller.js'
import type { WriteActor, WriteOrigin } from '#src/writing/command.js'

/**
 * The actor as records and commits name it: the Gracz, otherwise the kind of caller, and the named token if
 * any.
 */
export const actorOf = (caller: Pick<Caller, 'gracz' | 'kind' | 'token'>): WriteActor => {
  const { gracz, kind, token } = caller
  return { name: callerName(caller), gracz, kind, ...(token === undefined ? {} : { token }) }
}

/**
 * The author of what a request commits, and its row: both go into the trailers of the commit (FORMATS 1.9).
 */
export const originOf = (
  { method, path }: Pick<Route, 'method' | 'path'>,
  caller: Pick<Caller, 'gracz' | 'kind' | 'token'>,
): WriteOrigin => ({ actor: actorOf(caller), route: `${method} ${path}` })
