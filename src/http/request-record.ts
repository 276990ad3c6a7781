import type { RequestRecord } from './meter.js'
import type { Passage } from './pipeline.js'
import { plainPath } from './plain-path.js'

/** Path parameters whose value opens something (D39). */
const secretParameters = /\{(sha|token|key|code)\}/
const namesMax = 20

/** Whole: it is cut behind the scrubber, which knows no credential by its first characters. */
const pathOf = ({ served, arrival }: Passage): string | null => {
  if (served === null) return null
  return secretParameters.test(served.row.path) ? served.row.path : plainPath(arrival.path)
}

/** The names of the parameters that the row knows; any other name may be a secret that was put in the wrong place. */
const knownNames = ({ served, arrival }: Passage): ReadonlyArray<string> => {
  if (served === null || arrival.query === '') return []
  const names = arrival.query.split('&').map(pair => pair.split('=', 1)[0] ?? '')
  return [...new Set(names)].filter(name => Object.hasOwn(served.query, name)).slice(0, namesMax)
}

/** The line that the request stream keeps of a request; without a passage it was refused before its path was read. */
export const requestRecord = (
  requestId: string,
  method: string,
  passage: Passage | null,
  status: number,
  ms: number,
): RequestRecord => ({
  requestId,
  method,
  route: passage?.served?.row.path ?? null,
  path: passage === null ? null : pathOf(passage),
  query: passage === null ? [] : knownNames(passage),
  status,
  ms: Math.round(ms * 10) / 10,
  kind: passage?.caller?.kind ?? null,
  gracz: passage?.caller?.gracz ?? null,
  token: passage?.caller?.token?.id ?? null,
  tokenName: passage?.caller?.token?.name ?? null,
})
