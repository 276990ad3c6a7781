import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { isLeft, left } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { errorOf, httpStatusOf, refusals, refuse } from '#protocol/refusal.js'
import { ordinaryStatus, pipelineRefusals, type Route, type Table } from '#protocol/route.js'
import { bindHandlers, matcherOf } from '#src/http/routing/matcher.js'
import { openapi } from '#src/reference/openapi.js'
import type { Observation } from '#test/support/observations.js'

/** An answer that the OpenAPI document does not allow: row, status, and where the body first offends. */
export interface Offence {
  readonly row: string
  readonly status: number
  /** JSON pointer into the body, `/` for the body itself. */
  readonly path: string
  readonly reason: string
}

export interface CheckedAnswers {
  readonly offences: ReadonlyArray<Offence>
  /** Ids of rows that answered 2xx. */
  readonly answered: ReadonlySet<string>
  /** Refusals that came as an answer. */
  readonly refused: ReadonlySet<string>
  /** `<id of a row> <refusal>` of each refusal that a row answered. */
  readonly refusedBy: ReadonlySet<string>
}

const prefix = '/v1/api'
const documentId = 'document'
const statuses: Readonly<Record<string, number>> = Object.fromEntries(
  Object.entries(refusals).map(([tag, { status }]) => [tag, status]),
)
const RefusalBody = t.type({ error: t.string })

/** Refusals that the listener gives to a request line of any row before it looks for one; no row lists them. */
const listenerRefusals: ReadonlySet<string> = new Set(
  pipelineRefusals.listener.filter(tag => tag !== 'RouteNotFound'),
)

const pointer = (parts: ReadonlyArray<string>): string =>
  parts.map(part => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')

const nowhere = () => left(refuse('Internal', 'no handler in the check'))

type RowOf = (observation: Observation) => readonly [id: string, row: Route] | null

const rowFinder = (table: Table): RowOf => {
  const handlers = Object.fromEntries(Object.keys(table).map(id => [id, nowhere]))
  const match = matcherOf(bindHandlers(table, handlers), prefix)
  return ({ method, target, closed, body }) => {
    if (RefusalBody.is(body) && listenerRefusals.has(body.error)) return null
    const found = closed ? match(method, target.split('?')[0] ?? '') : left(null)
    return isLeft(found) || found.right === null ? null : [found.right.served.id, found.right.served.row]
  }
}

/** Finds the validator of a place in the document; null where the document has none. */
type Schemas = (parts: ReadonlyArray<string>) => ValidateFunction | null

const schemasOf = (table: Table): Schemas => {
  // Most validators run a few times: to optimize their code takes longer than it saves.
  const ajv = new Ajv2020({
    strict: false,
    allErrors: false,
    validateSchema: false,
    code: { optimize: false },
  })
  formats.default(ajv)
  ajv.addSchema(openapi(table, '0'), documentId)
  const known = new Map<string, ValidateFunction | null>()
  return parts => {
    const ref = `${documentId}#/${pointer(parts)}`
    const found = known.get(ref) ?? ajv.getSchema(ref) ?? null
    known.set(ref, found)
    return found
  }
}

const offenceOf = (
  row: string,
  { status, body }: Observation,
  validate: ValidateFunction | null,
): Offence | null => {
  if (validate === null) return { row, status, path: '/', reason: 'the document does not have this answer' }
  if (validate(body)) return null
  const first = validate.errors?.[0]
  const extra: unknown = first?.params['additionalProperty']
  const reason = `${first?.message ?? 'refused'}${typeof extra === 'string' ? `: ${extra}` : ''}`
  return { row, status, path: first?.instancePath || '/', reason }
}

/** An answer without a row: a refusal of the listener, the matcher or of a front with a table of its own. */
const strayOffence = (observation: Observation, schemas: Schemas): Offence | null => {
  const { method, status, body } = observation
  if (method === 'HEAD') return null
  const row = `${method} without a row`
  const error = RefusalBody.is(body) ? body.error : '(no refusal)'
  const wanted = statuses[error]
  if (wanted !== undefined && wanted !== status)
    return { row, status, path: '/error', reason: `${error} has the status ${wanted}` }
  return offenceOf(row, observation, schemas(['components', 'schemas', `Refusal.${error}`]))
}

const mediaOf = (row: Route, status: number): string =>
  (status === ordinaryStatus(row) ? row.media : undefined) ?? 'application/json'

const rowOffence = (id: string, row: Route, observation: Observation, schemas: Schemas): Offence | null => {
  const { status, body } = observation
  const name = `${row.method} ${row.path} (${id})`
  if (status === 304)
    return row.etag && body === undefined
      ? null
      : { row: name, status, path: '/', reason: 'a 304 is for rows with a validator and has no body' }
  const parts = ['paths', row.path, row.method.toLowerCase(), 'responses', String(status)]
  return offenceOf(name, observation, schemas([...parts, 'content', mediaOf(row, status), 'schema']))
}

/** The refusal of the row that a body names: two of them may share the code, not the status. */
const tagOf = (row: Route, status: number, error: string): string =>
  row.refusals.find(tag => errorOf(tag) === error && httpStatusOf({ _tag: tag }) === status) ?? error

/** Checks answers against the OpenAPI document of a table, and tells which rows and refusals they cover. */
export type Checker = (observed: ReadonlyArray<Observation>) => CheckedAnswers

export const checkerOf = (table: Table): Checker => {
  const schemas = schemasOf(table)
  const rowOf = rowFinder(table)
  return observed => {
    const offences: Array<Offence> = []
    const answered = new Set<string>()
    const refused = new Set<string>()
    const refusedBy = new Set<string>()
    for (const observation of observed) {
      const { status, body } = observation
      const found = rowOf(observation)
      const offence =
        found === null
          ? strayOffence(observation, schemas)
          : rowOffence(found[0], found[1], observation, schemas)
      if (offence !== null) offences.push(offence)
      if (found !== null && status >= 200 && status < 300) answered.add(found[0])
      if (status < 400 || !RefusalBody.is(body)) continue
      const tag = found === null ? body.error : tagOf(found[1], status, body.error)
      refused.add(tag)
      if (found !== null) refusedBy.add(`${found[0]} ${tag}`)
    }
    return { offences, answered, refused, refusedBy }
  }
}
