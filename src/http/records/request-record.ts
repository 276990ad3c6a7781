import { servedRowOf } from '../checks/target.js'
import type { Served } from '../routing/matcher.js'
import type { Passage } from '../routing/pipeline.js'
import type { RequestRecord } from './meter.js'

const namesMax = 20
const noNames: ReadonlyArray<string> = []

/** The names of the parameters that the row knows; any other name may be a misplaced secret. */
const parametersOf = (served: Served | null, { arrival }: Passage): ReadonlyArray<string> => {
  if (served === null || arrival.query === '') return noNames
  const names = arrival.query.split('&').map(pair => pair.split('=', 1)[0] ?? '')
  return [...new Set(names)].filter(name => Object.hasOwn(served.query, name)).slice(0, namesMax)
}

/**
 * The line of a request in the request stream. Without a passage, the request was refused before its path was
 * read.
 */
export const requestRecord = (
  requestId: string,
  method: string,
  passage: Passage | null,
  status: number,
  ms: number,
): RequestRecord => {
  const served = servedRowOf(passage?.target ?? null)
  const caller = passage?.caller ?? null
  const record = {
    requestId,
    method,
    route: served?.row.path ?? null,
    path: passage?.target?.recordedPath ?? null,
    query: passage === null ? noNames : parametersOf(served, passage),
    status,
    ms: Math.round(ms * 10) / 10,
    kind: caller?.kind ?? null,
    gracz: caller?.gracz ?? null,
    token: caller?.token?.id ?? null,
    tokenName: caller?.token?.name ?? null,
  }
  return passage?.isLate === true ? { ...record, late: true } : record
}
