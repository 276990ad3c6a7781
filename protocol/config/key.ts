import type * as t from 'io-ts'

/** A key of `.svc/config.json`: its codec, built-in default, unit and one sentence for the reference. */
export interface ConfigKey<A> {
  readonly codec: t.Type<A, unknown, unknown>
  readonly fallback: A
  readonly unit: string | null
  readonly about: string
}

export const key = <A>(
  codec: t.Type<A, unknown, unknown>,
  fallback: NoInfer<A>,
  unit: string | null,
  about: string,
): ConfigKey<A> => ({ codec, fallback, unit, about })
