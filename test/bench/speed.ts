import { spawnSync } from 'node:child_process'
import { median } from './figure.js'

/**
 * How long `node -e 0` takes, started by a small shell, on the machine and in the state that the absolute bars were set on: two
 * cores, 71 to 86 ms from run to run. It reads files, maps memory, compiles and runs, and allocates: what a start, a
 * request and a git of the daemon do.
 */
const referenceMs = 80

const starts = 7

/** How many times as slow the machine is now as the reference. Takes about a second. */
export const measureSlowness = (): number => {
  const script = `for i in ${Array.from({ length: starts }, (_, at) => at).join(' ')}; do date +%s%N; "$0" -e 0; done; date +%s%N`
  const { status, stdout } = spawnSync('sh', ['-c', script, process.execPath], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`node -e 0 ended with ${status ?? 'a signal'}`)
  const marks = stdout.trim().split('\n').map(Number)
  return median(marks.slice(1).map((mark, at) => (mark - (marks[at] ?? 0)) / 1e6)) / referenceMs
}
