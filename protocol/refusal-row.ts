import type * as t from 'io-ts'

/** A row of the table of refusals. */
export interface RefusalRow<S extends number, E extends t.Props> {
  readonly status: S
  /** When a route raises it, and what the caller can do. */
  readonly when: string
  /** Fields of the body beside `error` and `detail`. */
  readonly extra: E
  /** The `error` of the body when it differs from the key: one code of the specification has two statuses. */
  readonly error: string | null
}

/** Makes a row of the table of refusals. */
export const refusalRow = <S extends number, E extends t.Props>(
  status: S,
  when: string,
  extra: E,
  error: string | null = null,
): RefusalRow<S, E> => ({ status, when, extra, error })
