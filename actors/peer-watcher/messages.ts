import * as t from 'io-ts'
import type { AnsweredProbe, ProbeResult } from '#src/domain/fleet/peers.js'

const Clocks = t.readonly(
  t.type({ monotonicMs: t.number, wallMs: t.number, uptimeMs: t.number, pauses: t.number }),
)

const resultTags: ReadonlySet<unknown> = new Set<ProbeResult['_tag']>(['Answered', 'Failed', 'NotSent'])

const isProbeResult = (u: unknown): u is ProbeResult =>
  typeof u === 'object' && u !== null && '_tag' in u && resultTags.has(u._tag)

/** Nominal codec: the result comes from the node's own probe. */
const Result = new t.Type<ProbeResult, ProbeResult, unknown>(
  'ProbeResult',
  isProbeResult,
  (u, context) => (isProbeResult(u) ? t.success(u) : t.failure(u, context)),
  t.identity,
)
const Answered = t.refinement(
  Result,
  (result): result is AnsweredProbe => result._tag === 'Answered',
  'AnsweredProbe',
)

/** To self: a probe is due. */
const Due = t.type({ _tag: t.literal('Due') })
/** To self: the clocks of the host at a due probe. */
const ClocksRead = t.type({ _tag: t.literal('ClocksRead'), clocks: Clocks })
/** From a converge after a pause of this host: it has ended, well or not. */
const Converged = t.type({ _tag: t.literal('Converged'), flight: t.string, clocks: Clocks })
/** From a probe: it has ended. */
const Probed = t.type({
  _tag: t.literal('Probed'),
  flight: t.string,
  result: Result,
  roundTripMs: t.number,
  before: Clocks,
  after: Clocks,
})
/** From a probe that had failed: the town has answered after all. */
const AnsweredLate = t.type({
  _tag: t.literal('AnsweredLate'),
  result: Answered,
  roundTripMs: t.number,
  before: Clocks,
  after: Clocks,
})

export const PeerWatcherMessage = t.union(
  [Due, ClocksRead, Converged, Probed, AnsweredLate],
  'PeerWatcherMessage',
)
export type PeerWatcherMessage = t.TypeOf<typeof PeerWatcherMessage>
export type Probed = t.TypeOf<typeof Probed>
export type AnsweredLate = t.TypeOf<typeof AnsweredLate>
