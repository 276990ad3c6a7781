import * as t from 'io-ts'
import { Snowflake } from '../atoms/snowflake.js'

export const dispatchKinds = ['close', 'report', 'query'] as const
export type DispatchKind = (typeof dispatchKinds)[number]
export const DispatchKind = t.keyof({ close: null, report: null, query: null }, 'DispatchKind')

/** An id of the platform as one text: no leading zero, so that an id has one spelling. */
export const InteractionId = t.refinement(t.string, (text): boolean => Snowflake.is(text), 'InteractionId')

/** The most bytes of the names and values of `vars` in UTF-8. */
export const dispatchVarsBytesMax = 65_536

const isEpochMs = (u: unknown): u is number =>
  typeof u === 'number' && Number.isInteger(u) && u >= 0 && u <= 2 ** 53

/** Milliseconds since 1970 as a whole number from 0 to 2^53. */
export const EpochMs = new t.Type<number, number, unknown>(
  'EpochMs',
  isEpochMs,
  (u, context) => (isEpochMs(u) ? t.success(u) : t.failure(u, context)),
  t.identity,
)

export type DispatchVars = Readonly<Record<string, string>>

const isVars = (u: unknown): u is DispatchVars => {
  if (!t.UnknownRecord.is(u)) return false
  let bytes = 0
  for (const [name, value] of Object.entries(u)) {
    if (typeof value !== 'string') return false
    bytes += Buffer.byteLength(name) + Buffer.byteLength(value)
  }
  return bytes <= dispatchVarsBytesMax
}

/** A flat record of texts of at most `dispatchVarsBytesMax` bytes. */
export const DispatchVars = new t.Type<DispatchVars, DispatchVars, unknown>(
  'DispatchVars',
  isVars,
  (u, context) => (isVars(u) ? t.success(u) : t.failure(u, context)),
  t.identity,
)

/** An interaction as the worker forwards it; without `kind`, `vars` determine it (A 4.9). */
export const DispatchWanted = t.intersection(
  [
    t.type({ interactionId: InteractionId, sentAtEpochMs: EpochMs, vars: DispatchVars }),
    t.partial({ kind: t.string }),
  ],
  'DispatchWanted',
)
export type DispatchWanted = t.TypeOf<typeof DispatchWanted>

export const DispatchAccepted = t.type(
  {
    accepted: t.literal(true),
    kind: DispatchKind,
    interactionId: InteractionId,
    duplicate: t.boolean,
    daemonEpochMs: t.number,
  },
  'DispatchAccepted',
)
