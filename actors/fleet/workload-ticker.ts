import { absurd } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { FleetWorkload } from '#protocol/host/config.js'
import { type DutyView, type IdleReason, whyNoPush } from '#src/domain/fleet/role.js'
import { type Actor, after, ready, type Step } from '#src/kernel/actor/actor.js'
import type { WorkloadRunner, WorkloadRunners } from '#src/ports/host.js'

export const workloadTicker = (ticked: TickedWorkloads): Actor<State, Message, Effect, TickPorts> => ({
  name: 'workload-ticker',
  codec: WorkloadTickerMessage,
  mailboxMax: 16,
  stuckMs,
  initial: () => [
    { _tag: 'Ticking' },
    [ready, ...[...ticked].map(([workload, runner]) => rest(workload, runner))],
  ],
  receive: receive(ticked),
  perform:
    ports =>
    async ({ workload }, signal) => {
      await tickWorkload(ports, workload, signal)
      return [{ _tag: 'Ticked', workload }]
    },
})

export interface TickPorts {
  readonly runners: Pick<WorkloadRunners, 'get'>
  /** The workloads that run now. It outlives an incarnation, as does a run that ignores the abort of its signal. */
  readonly running: Set<FleetWorkload>
  /** Whether the tick of the workload is this host's now, by the snapshot and the role of this moment. */
  readonly sight: (workload: FleetWorkload) => DutyView
  readonly monotonicMs: () => number
  /** Reports a tick that this host does not do. */
  readonly idle: (workload: FleetWorkload, reason: IdleReason | 'still_running') => void
  /** Reports a tick whose run rejected. */
  readonly failed: (workload: FleetWorkload, error: unknown) => void
  /** Reports the end of every run. */
  readonly ended: (workload: FleetWorkload, elapsedMs: number) => void
}

const workloads: Readonly<Record<FleetWorkload, null>> = {
  close_reminder: null,
  map_checkup: null,
  lineage_autopilot: null,
  alias_autopilot: null,
}
const Name = t.keyof(workloads)

/** To self: a tick of the workload is due. */
const Due = t.type({ _tag: t.literal('Due'), workload: Name })
/** To self: a tick of the workload has ended. */
const Ticked = t.type({ _tag: t.literal('Ticked'), workload: Name })

const WorkloadTickerMessage = t.union([Due, Ticked], 'WorkloadTickerMessage')
type WorkloadTickerMessage = t.TypeOf<typeof WorkloadTickerMessage>

/**
 * The workload ticker gives each workload that this host can run its ticks, one tick at a time. A tick is due an
 * interval after the one before has ended, so the ticks of a workload never overlap. The ticker owns nothing: an
 * incarnation that starts waits a whole interval for each workload.
 */
interface State {
  readonly _tag: 'Ticking'
}

interface Effect {
  readonly _tag: 'Tick'
  readonly workload: FleetWorkload
}

/** The workloads that this host can run; without one the ticker has no timer. */
type TickedWorkloads = ReadonlyMap<FleetWorkload, Pick<WorkloadRunner, 'intervalMs'>>

type Message = WorkloadTickerMessage
type Turn = Step<State, Effect, Message>

/** The longest tick: a runner that hangs is stopped then, and the ticks begin again. */
const stuckMs = 600_000

const rest = (workload: FleetWorkload, { intervalMs }: Pick<WorkloadRunner, 'intervalMs'>) =>
  after<Message>(workload, intervalMs, { _tag: 'Due', workload })

const receive =
  (ticked: TickedWorkloads) =>
  (state: State, { _tag, workload }: Message): Turn => {
    switch (_tag) {
      case 'Due':
        return [state, [{ _tag: 'Tick', workload }]]
      case 'Ticked': {
        const runner = ticked.get(workload)
        return [state, runner === undefined ? [] : [rest(workload, runner)]]
      }
      default:
        return absurd(_tag)
    }
  }

/** Runs a workload once, where its tick is this host's. Reports a run that rejects, and never rejects itself. */
const tickWorkload = async (
  { runners, running, sight, monotonicMs, idle, failed, ended }: TickPorts,
  workload: FleetWorkload,
  signal: AbortSignal,
): Promise<void> => {
  const runner = runners.get(workload)
  if (runner === undefined) return
  const planned = sight(workload)
  const whyIdle = planned.whyNot ?? (running.has(workload) ? 'still_running' : null)
  if (whyIdle !== null) {
    idle(workload, whyIdle)
    return
  }
  running.add(workload)
  const beganMs = monotonicMs()
  try {
    await runner.run({ whyNoPush: () => whyNoPush(planned, sight(workload)) }, signal)
  } catch (error) {
    failed(workload, error)
  }
  running.delete(workload)
  ended(workload, monotonicMs() - beganMs)
}
