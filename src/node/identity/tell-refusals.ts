import { instantOf } from '#protocol/atoms.js'
import {
  type CredentialKind,
  type FoldedRefusals,
  foldRefusals,
  refusalFoldRule,
} from '#src/domain/limits/fold-refusals.js'
import type { Cancel, KernelClock } from '#src/kernel/time/clock.js'
import type { Audit } from '#src/ports/records.js'
import type { Log } from '../records/log.js'

type AuditFields = Readonly<Record<string, string | number | null>>

interface RefusalPorts {
  readonly log: Pick<Log, 'warn'>
  readonly audit: Audit
  readonly nowMs: KernelClock['nowMs']
  readonly after: KernelClock['after']
}

/** Writes refused credentials to the log and the audit stream, grouped (ADR 1021). */
export interface RefusalTeller {
  readonly tellToken: (network: string, requestId: string, method: string) => void
  readonly tellSignIn: (signIn: 'game' | 'chat', network: string, reason: string | null) => void
  /** Writes the counts of the current window, for a shutdown. */
  readonly end: () => void
}

/** Runs once after a delay; the timer does not keep the process alive. */
export const afterUnref: KernelClock['after'] = (delayMs, run) => {
  const timer = setTimeout(run, delayMs).unref()
  return () => clearTimeout(timer)
}

const signInOf = (kind: CredentialKind): AuditFields => (kind === 'token' ? {} : { signIn: kind })

export const refusalTeller = ({ log, audit, nowMs, after }: RefusalPorts): RefusalTeller => {
  const fold = foldRefusals(refusalFoldRule)
  let cancel: Cancel = () => undefined
  const write = (fields: AuditFields): void =>
    audit({ action: 'credential.refused', actor: 'nobody', ...fields })
  const tellCounts = (all: ReadonlyArray<FoldedRefusals>): void => {
    for (const { kind, count, fromMs, toMs } of all) {
      const counted = { ...signInOf(kind), count, from: instantOf(fromMs), to: instantOf(toMs) }
      write(counted)
      log.warn('http.credential_refused', counted)
    }
  }
  const end = (): void => {
    cancel()
    tellCounts(fold.end(nowMs()))
  }
  const hasOwnLine = (kind: CredentialKind, network: string): boolean => {
    const step = fold.add(kind, network, nowMs())
    tellCounts(step.folded)
    if (step.isFirst) {
      cancel()
      cancel = after(refusalFoldRule.windowMs, end)
    }
    return step.hasOwnLine
  }
  return {
    tellToken: (network, requestId, method) => {
      if (!hasOwnLine('token', network)) return
      write({ requestId, method })
      log.warn('http.credential_refused', { requestId, method })
    },
    tellSignIn: (signIn, network, reason) => {
      if (hasOwnLine(signIn, network)) write({ signIn, reason })
    },
    end,
  }
}
