import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { type Day, dayOf, type Tier, tiers } from '#protocol/atoms.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import { type Diegesis, diegeses } from '#protocol/search.js'
import type { RankFilter } from './ranking.js'

/** The parameters of `GET /search` as texts. */
export interface SearchParameters {
  readonly q?: string | undefined
  readonly scope?: string | undefined
  readonly kind?: string | undefined
  readonly diegesis?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly asOf?: string | undefined
  readonly limit?: number | null | undefined
  readonly offset?: number | undefined
}

/** The tiers of a query. `isNamed`: the caller named them, so that one without an index is a refusal. */
export interface SearchScope {
  readonly text: string
  readonly tiers: ReadonlyArray<Tier>
  readonly isNamed: boolean
}

/** A query whose parameters are good. */
export interface SearchQuery {
  readonly text: string
  readonly scope: SearchScope
  readonly filter: RankFilter
  readonly limit: number
  readonly offset: number
}

export type SearchFault = RefusalOf<
  | 'SearchQueryMissing'
  | 'SearchKindInvalid'
  | 'SearchDiegesisInvalid'
  | 'DateInvalid'
  | 'SearchBoundConflict'
  | 'ParameterInvalid'
>

export const queryCharsMax = 1000
const limitDefault = 20
const limitMax = 100
/** No host has so many hits, so a later page is as empty as this one. */
const offsetMax = 1_000_000

const isOneOf = <A extends string>(all: ReadonlyArray<A>, text: string): text is A =>
  all.some(one => one === text)

const readText = (q: string | undefined): Either<SearchFault, string> => {
  if (q === undefined || q.trim() === '')
    return left(refuse('SearchQueryMissing', 'Give the words to look for: q=<words>.'))
  return q.length > queryCharsMax
    ? left(
        refuse('ParameterInvalid', `The parameter q has more than ${queryCharsMax} characters.`, {
          parameter: 'q',
        }),
      )
    : right(q)
}

const readScope = (text = 'all'): Either<SearchFault, SearchScope> => {
  const words = text
    .split(',')
    .map(word => word.trim().toLowerCase())
    .filter(word => word !== '')
  const unknown = words.find(word => word !== 'all' && !isOneOf(tiers, word))
  if (unknown !== undefined)
    return left(
      refuse('ParameterInvalid', `The parameter scope must be all, or tiers of ${tiers.join(', ')}.`, {
        parameter: 'scope',
      }),
    )
  if (words.length === 0 || words.includes('all')) return right({ text: 'all', tiers, isNamed: false })
  const named = tiers.filter(tier => words.includes(tier))
  return right({ text: named.join(), tiers: named, isNamed: true })
}

const readKind = (kind: string | undefined): Either<SearchFault, Tier | null> =>
  kind === undefined
    ? right(null)
    : isOneOf(tiers, kind)
      ? right(kind)
      : left(refuse('SearchKindInvalid', `The parameter kind must be one of ${tiers.join(', ')}.`))

const readDiegesis = (diegesis: string | undefined): Either<SearchFault, Diegesis | null> =>
  diegesis === undefined
    ? right(null)
    : isOneOf(diegeses, diegesis)
      ? right(diegesis)
      : left(refuse('SearchDiegesisInvalid', `The parameter diegesis must be one of ${diegeses.join(', ')}.`))

const readDay = (parameter: string, text: string | undefined): Either<SearchFault, Day | null> => {
  if (text === undefined) return right(null)
  const day = dayOf(text)
  return day === null
    ? left(refuse('DateInvalid', `The parameter ${parameter} must be a day YYYY-MM-DD.`, { parameter }))
    : right(day)
}

const readDays = ({ from, to, asOf }: SearchParameters): Either<SearchFault, RankFilter['days']> => {
  const first = readDay('from', from)
  if (isLeft(first)) return first
  const last = readDay('to', to)
  if (isLeft(last)) return last
  if (asOf !== undefined && (from !== undefined || to !== undefined))
    return left(refuse('SearchBoundConflict', 'Send asOf, or from and to, but not both.'))
  const established = readDay('asOf', asOf)
  if (isLeft(established)) return established
  const end = established.right ?? last.right
  if (first.right === null && end === null) return right(null)
  return right({
    ...(first.right === null ? {} : { from: first.right }),
    ...(end === null ? {} : { to: end }),
  })
}

/** Reads the parameters, and refuses the first that is bad. */
export const readSearchQuery = (said: SearchParameters): Either<SearchFault, SearchQuery> => {
  const text = readText(said.q)
  if (isLeft(text)) return text
  const scope = readScope(said.scope)
  if (isLeft(scope)) return scope
  const kind = readKind(said.kind)
  if (isLeft(kind)) return kind
  const diegesis = readDiegesis(said.diegesis)
  if (isLeft(diegesis)) return diegesis
  const days = readDays(said)
  if (isLeft(days)) return days
  return right({
    text: text.right,
    scope: scope.right,
    filter: {
      kinds: kind.right === null ? null : [kind.right],
      diegesis: diegesis.right === null ? null : [diegesis.right],
      days: days.right,
      visibilities: null,
    },
    limit: Math.min(said.limit ?? limitDefault, limitMax),
    offset: Math.min(said.offset ?? 0, offsetMax),
  })
}
