/** An answer of a served front, as a test of this run got it. */
export interface Observation {
  readonly method: string
  /** The raw target, prefix and query included. */
  readonly target: string
  readonly status: number
  /** The decoded JSON; undefined for a body that is empty or no JSON. */
  readonly body: unknown
  /** Whether the front served the closed table; of others only refusals are kept. */
  readonly closed: boolean
}

/** Mocha requires some test files and imports others, so this module may be there twice: the list is the process's. */
const key: unique symbol = Symbol.for('kronika.observations')
const holder: typeof globalThis & { [key]?: Array<Observation> } = globalThis
const kept: Array<Observation> = holder[key] ?? []
holder[key] = kept

/** Removes and returns the answers that the tests of this process got since the last call. */
export const takeObservations = (): ReadonlyArray<Observation> => kept.splice(0)

/** A job that was refused tells so with 200: what is asked for is the job. */
const isRefusal = ({ status, body }: Observation): boolean =>
  status >= 400 && typeof body === 'object' && body !== null && 'error' in body && 'detail' in body

/** Keeps an answer: all of a front with the closed table, the refusals of any other. */
export const observe = (observation: Observation): void => {
  if (observation.closed || isRefusal(observation)) kept.push(observation)
}
