/** An answer of a served front that a test of this run received. */
export interface Observation {
  readonly method: string
  /** The raw target, prefix and query included. */
  readonly target: string
  readonly status: number
  /** The decoded JSON; undefined for a body that is empty or not JSON. */
  readonly body: unknown
  /** Whether the front served the closed table; for other tables only refusals are kept. */
  readonly closed: boolean
}

/**
 * Mocha requires some test files and imports others, so this module may be loaded twice: the list belongs to
 * the process.
 */
const key: unique symbol = Symbol.for('kronika.observations')
const holder: typeof globalThis & { [key]?: Array<Observation> } = globalThis
const kept: Array<Observation> = holder[key] ?? []
holder[key] = kept

/** Removes and returns the answers that the tests of this process received since the last call. */
export const takeObservations = (): ReadonlyArray<Observation> => kept.splice(0)

/** A refused job is answered with 200, because the answer is the job. */
const isRefusal = ({ status, body }: Observation): boolean =>
  status >= 400 && typeof body === 'object' && body !== null && 'error' in body && 'detail' in body

/** Keeps an answer: every one of a front with the closed table, only the refusals of others. */
export const observe = (observation: Observation): void => {
  if (observation.closed || isRefusal(observation)) kept.push(observation)
}
