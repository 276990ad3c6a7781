import type { TokenRef } from '#protocol/sign-in.js'
import type { AuditNote, Touched } from '#src/domain/lore/changes.js'
import type { KernelClock } from '#src/kernel/time/clock.js'
import type { Meter, Publish } from '#src/ports/records.js'

/** A write that was committed and answered, as hooks receive it. */
export interface WriteFact {
  readonly commit: string
  readonly route: string
  readonly actor: string
  readonly token?: TokenRef | undefined
  readonly intent: string
  readonly subject: string
  readonly touches: ReadonlyArray<Touched>
  readonly audit: ReadonlyArray<AuditNote>
}

/** What runs after a write was answered. A failure is a warning: the write remains (A 4.1.4). */
export interface AfterWrite {
  readonly name: string
  readonly run: (fact: WriteFact) => void | Promise<void>
}

export interface AfterWritePorts {
  readonly afterWrite: ReadonlyArray<AfterWrite>
  /** Timers of the kernel's clock. */
  readonly after: KernelClock['after']
  readonly meter: Meter
  readonly publish: Publish
  readonly warn: (event: string, fields: object) => void
}

/** The most time that the next write waits for the hooks of a batch. */
const hooksLimitMs = 2_000

interface Limit {
  readonly over: Promise<never>
  readonly end: () => void
}

const startLimit = (after: KernelClock['after']): Limit => {
  let fail: (error: Error) => void = () => undefined
  const over = new Promise<never>((_, reject) => {
    fail = reject
  })
  over.catch(() => undefined)
  return {
    over,
    end: after(hooksLimitMs, () => fail(new Error('it took too long and was abandoned'))),
  }
}

/** Runs every hook for every write, in order. A hook that fails or hangs does not stop the others. */
export const afterWrite = async (ports: AfterWritePorts, facts: ReadonlyArray<WriteFact>): Promise<void> => {
  if (ports.afterWrite.length === 0) return
  const limit = startLimit(ports.after)
  for (const fact of facts)
    for (const { name, run } of ports.afterWrite)
      try {
        const work = run(fact)
        if (work !== undefined) await Promise.race([work, limit.over])
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        ports.meter.count('svc_write_hook_failures_total', { hook: name })
        ports.publish('hook:failed', { hook: name, commit: fact.commit, reason })
        ports.warn('hook_failed', { hook: name, commit: fact.commit, error })
      }
  limit.end()
}
