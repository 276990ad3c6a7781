import type { Route } from '#protocol/route.js'
import { type Caller, nameOf } from '#src/domain/callers/caller.js'
import type { WriteActor, WriteOrigin } from '#src/writing/command.js'

/** Who acts, as records and commits name them: the Gracz, else the kind of caller, and the named token if any. */
export const actorOf = (caller: Pick<Caller, 'gracz' | 'kind' | 'token'>): WriteActor => {
  const { gracz, kind, token } = caller
  return { name: nameOf(caller), gracz, kind, ...(token === undefined ? {} : { token }) }
}

/** Who makes what a request commits, and by which row: they go into its trailers (FORMATS 1.9). */
export const originOf = (
  { method, path }: Pick<Route, 'method' | 'path'>,
  caller: Pick<Caller, 'gracz' | 'kind' | 'token'>,
): WriteOrigin => ({ actor: actorOf(caller), route: `${method} ${path}` })
