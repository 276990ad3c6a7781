import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { queryKinds } from '#protocol/query.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import type { QueryCodecs } from '#protocol/route.js'
import { isWithinOneEdit } from '#src/domain/names/near-spellings.js'

/** Decoded pairs of a query, in the order of the request. */
export type QueryPairs = ReadonlyArray<readonly [name: string, value: string]>

/** A query with more parameters is refused (D25). */
const parametersMax = 1000

const decodeText = (text: string): string =>
  decodeURIComponent(text.includes('+') ? text.replaceAll('+', ' ') : text)

const noPairs: QueryPairs = []

/** Reads the text after the question mark; left when an escape is malformed or there are too many parameters. */
export const readQueryPairs = (text: string): Either<RefusalOf<'RequestMalformed'>, QueryPairs> => {
  if (text === '') return right(noPairs)
  const parts = text.split('&').filter(part => part !== '')
  if (parts.length > parametersMax)
    return left(
      refuse('RequestMalformed', `The query has more than ${parametersMax} parameters. Send fewer.`),
    )
  try {
    return right(
      parts.map(part => {
        const mark = part.indexOf('=')
        return mark < 0
          ? ([decodeText(part), ''] as const)
          : ([decodeText(part.slice(0, mark)), decodeText(part.slice(mark + 1))] as const)
      }),
    )
  } catch {
    return left(refuse('RequestMalformed', 'The query has a malformed percent escape.'))
  }
}

/** Whether the query asks for a dry run; the gate asks this before the query is decoded (A 4.1). */
export const asksDryRun = (pairs: QueryPairs): boolean =>
  pairs.some(([name, value]) => name === 'dryRun' && value === 'true')

/** The values of the parameters that the row knows, and the text of them that is part of the answer's key. */
export interface Query {
  readonly values: Readonly<Record<string, unknown>>
  readonly key: string
}

const refuseParameter = (parameter: string, detail: string): Either<RefusalOf<'ParameterInvalid'>, never> =>
  left(refuse('ParameterInvalid', detail, { parameter }))

/** The refusal for a required parameter that is missing. */
export const refuseMissingParameter = (parameter: string): RefusalOf<'ParameterInvalid'> =>
  refuse('ParameterInvalid', `Give the parameter ${parameter}: ${parameter}=<name>.`, { parameter })

/**
 * Normalizes a name: without a last `[]` or `[n]`, as form libraries write a list, and without case, `-` and
 * `_`.
 */
const plainName = (name: string): string =>
  name
    .replace(/\[\d*\]$/, '')
    .toLowerCase()
    .replace(/[-_]/g, '')

const shownChars = 80

const dryRunName = 'dryrun'

/** Whether a plain name is `dryRun` and then something other than a letter, as in `dryRun%3Dtrue`. */
const continuesDryRun = (plain: string): boolean =>
  plain.startsWith(dryRunName) && !/^\p{L}/u.test(plain.slice(dryRunName.length))

/** Does not repeat the name, because what follows `dryRun` may be a secret. */
const continued =
  'The name of a parameter is dryRun followed by other characters. Write dryRun=true for a dry run, with the ' +
  '= unescaped and nothing between, or leave it out to write.'

/**
 * Refuses a parameter whose name is `dryRun` except for case, `-`, `_`, a last `[]` or `[n]` and one typing
 * error, or except for case, `-` and `_` begins with `dryRun` and a character that is no letter, where the row
 * takes `dryRun`. If it were ignored, the preview that the caller wants would become a write (ADR 1009).
 */
const refuseMisspelling = (
  codecs: QueryCodecs,
  name: string,
): Either<RefusalOf<'ParameterInvalid'>, never> | null => {
  if (!Object.hasOwn(codecs, 'dryRun')) return null
  const plain = plainName(name)
  if (!isWithinOneEdit(plain, dryRunName))
    return continuesDryRun(plain) ? refuseParameter('dryRun', continued) : null
  const shown = name.slice(0, shownChars)
  return refuseParameter(
    shown,
    `There is no parameter ${shown}. Write dryRun=true for a dry run, or leave it out to write.`,
  )
}

const emptyQuery: Query = { values: Object.freeze({}), key: '' }

/**
 * Decodes the known parameters. Ignores unknown ones, including bracketed ones; refuses a known one that is
 * given twice or has a bad value, by name (A 4.1.5, D25). Refuses a near spelling of `dryRun` on rows that
 * take it.
 */
export const decodeQuery = (
  codecs: QueryCodecs,
  pairs: QueryPairs,
): Either<RefusalOf<'ParameterInvalid'>, Query> => {
  if (pairs.length === 0) return right(emptyQuery)
  const texts = new Map<string, string>()
  for (const [name, value] of pairs) {
    if (!Object.hasOwn(codecs, name)) {
      const misspelt = refuseMisspelling(codecs, name)
      if (misspelt !== null) return misspelt
      continue
    }
    if (texts.has(name))
      return refuseParameter(name, `The parameter ${name} is given more than once. Give it once.`)
    texts.set(name, value)
  }
  if (texts.size === 0) return right(emptyQuery)
  const values: Record<string, unknown> = {}
  let key = ''
  for (const [name, codec] of Object.entries(codecs)) {
    const text = texts.get(name)
    if (text === undefined) continue
    const value = codec.decode(text)
    if (isLeft(value)) {
      const wants = queryKinds[codec.name]?.wants ?? `a value of kind ${codec.name}`
      return refuseParameter(name, `The parameter ${name} must be ${wants}.`)
    }
    values[name] = value.right
    key += `${name}=${JSON.stringify(text)}&`
  }
  return right({ values, key })
}
