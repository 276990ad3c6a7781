import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { callReader, delayed, type SystemCall } from './call.js'

/** A trace of a process and of all that it starts. */
export interface CallTrace {
  /** The calls that were told of until the end of the trace. */
  readonly calls: ReadonlyArray<SystemCall>
  /** Lets the processes go; the calls are whole afterwards. */
  readonly end: () => Promise<void>
}

/** How long a call is held at its exit: long enough for its line to be read and the kill to be sent. */
const heldMicros = 800

/**
 * Attaches strace to a running process. `onCall` is told of each call that changed something below `root` while that
 * call is held at its exit: what it does then (a kill) falls between this call and the next of its process. Calls whose
 * target matches `uncounted` are left out.
 */
export const attach = async (
  pid: number,
  root: string,
  onCall: (count: number, call: SystemCall) => void,
  uncounted: RegExp | null = null,
): Promise<CallTrace> => {
  const names = delayed.join(',')
  const child = spawn(
    'strace',
    [
      '-f',
      '-y',
      '-s',
      '24',
      '-e',
      `trace=${names}`,
      '-e',
      `inject=${names}:delay_exit=${heldMicros}`,
      '-p',
      `${pid}`,
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const closed = once(child, 'close')
  const calls: Array<SystemCall> = []
  const read = callReader(`${root}/`)
  const lines = createInterface({ input: child.stderr })
  const attached = once(lines, 'line')
  lines.on('line', line => {
    const call = read(line)
    if (call === null || uncounted?.test(call.target) === true) return
    calls.push(call)
    onCall(calls.length, call)
  })
  await attached
  return {
    calls,
    end: async () => {
      // The system lets go of what a killed tracer held; one that is interrupted may wait for a child that is gone.
      child.kill('SIGKILL')
      await closed
    },
  }
}
