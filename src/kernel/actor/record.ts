import type { DeadLetterReason, RestartCause } from '#protocol/host/kernel.js'

/**
 * What a stopped actor left over: the number of messages not delivered, and the tags of effects not carried
 * out, in order.
 */
export interface Orphans {
  readonly actor: string
  readonly waiting: number
  readonly effects: ReadonlyArray<string>
}

/**
 * What the kernel logs: types and counts, never the content of a message (D8). `count` is the running count
 * of that actor and reason; the kernel writes a record at 1, 2, 4, 8 …, so that many equal events do not
 * flood the log.
 */
export type KernelRecord =
  | {
      readonly event: 'dead_letter'
      readonly actor: string
      readonly reason: DeadLetterReason
      readonly count: number
    }
  | {
      readonly event: 'quarantined'
      readonly actor: string
      readonly message: string
      readonly count: number
    }
  | {
      readonly event: 'late_result'
      readonly actor: string
      readonly incarnation: string
      readonly effect: string
    }
  | { readonly event: 'late_reply'; readonly actor: string; readonly askId: string }
  | {
      readonly event: 'tell_refused'
      readonly actor: string
      readonly to: string
      readonly admission: string
    }
  | {
      readonly event: 'fault'
      readonly actor: string
      readonly incarnation: string
      readonly cause: RestartCause
      readonly error: unknown
    }
  | { readonly event: 'started'; readonly actor: string; readonly incarnation: string }
  | { readonly event: 'ready'; readonly actor: string }
  | { readonly event: 'stopped'; readonly actor: string }
  | {
      readonly event: 'restarting'
      readonly actor: string
      readonly cause: RestartCause
      readonly backoffMs: number
    }
  | {
      readonly event: 'abandoned'
      readonly actor: string
      readonly supervisor: string
      readonly restarts: number
    }
  | {
      readonly event: 'escalated'
      readonly supervisor: string
      readonly child: string
      readonly restarts: number
    }
  | { readonly event: 'gave_up'; readonly supervisor: string }
  | { readonly event: 'orphaned'; readonly orphans: Orphans }

export type KernelLog = (record: KernelRecord) => void

export const silentLog: KernelLog = () => undefined

/** True at 1, 2, 4, 8 … */
export const isPowerOfTwo = (count: number): boolean => count > 0 && Number.isInteger(Math.log2(count))
