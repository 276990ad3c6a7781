import type { Route } from '#protocol/route.js'
import type { WriteOrigin } from '#src/corpus/write-plan.js'
import type { Caller } from '#src/identity/caller.js'

/** Who makes what a request commits, and by which row: they go into its trailers (FORMATS 1.9). */
export const originOf = (
  { method, path }: Pick<Route, 'method' | 'path'>,
  { gracz, kind }: Pick<Caller, 'gracz' | 'kind'>,
): WriteOrigin => ({ actor: { name: gracz ?? kind, gracz, kind }, route: `${method} ${path}` })
