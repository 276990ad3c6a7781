import { type ExitCode, exitCodes } from '#protocol/exit-code.js'
import type { Log } from '../records/log.js'

/** How a served process ends: drained at the first signal, at once at the second or after a fatal fault. */
export interface ProcessEnd {
  /** Resolves with the exit code when the node has drained. */
  readonly left: Promise<ExitCode>
  readonly giveUp: (code: ExitCode) => void
  /** Ends as the first SIGTERM does. */
  readonly stop: () => void
}

const flushMs = 2_000
const drainLimitMs = 30_000
const releaseMs = 1_000
const interruptedCode = 130

/** Waits for the work, at most for the limit. */
const within = (work: Promise<unknown>, limitMs: number): Promise<void> =>
  new Promise(resolve => {
    const timer = setTimeout(resolve, limitMs)
    const done = (): void => {
      clearTimeout(timer)
      resolve()
    }
    work.then(done, done)
  })

/**
 * Waits for signals and faults. The first SIGTERM or SIGINT drains, the second exits at once; an uncaught
 * throw is logged and exits with 71 after at most 2 s (RELIABILITY 5, D2).
 */
export const awaitLeaving = (log: Log, drain: () => Promise<void>): ProcessEnd => {
  let settle: (code: ExitCode) => void = () => undefined
  const left = new Promise<ExitCode>(resolve => {
    settle = resolve
  })
  let leaving = false
  const leave = async (code: ExitCode, limitMs: number, isQuiet = false): Promise<void> => {
    if (leaving) return
    leaving = true
    await within(drain(), limitMs)
    log[isQuiet ? 'debug' : 'info']('stopped', { code })
    log.flush()
    settle(code)
    // A port or child that never ends must not keep the process alive.
    setTimeout(() => process.exit(code), releaseMs).unref()
  }
  const onSignal = (signal: string): void => {
    if (leaving) process.exit(interruptedCode)
    // A person who pressed Ctrl-C expects no message, only the prompt.
    const isQuiet = signal === 'SIGINT'
    log[isQuiet ? 'debug' : 'info']('draining', { signal })
    void leave(exitCodes.ok, drainLimitMs, isQuiet)
  }
  const onFault = (error: unknown): void => {
    log.error('uncaught', { error })
    void leave(exitCodes.uncaught, flushMs)
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
  process.on('uncaughtException', onFault)
  process.on('unhandledRejection', onFault)
  const stop = (): void => {
    log.info('draining', { signal: 'POST /admin/shutdown' })
    void leave(exitCodes.ok, drainLimitMs)
  }
  return { left, giveUp: code => void leave(code, flushMs), stop }
}
