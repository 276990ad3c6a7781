import { asChore } from '#src/adapters/landing/chores.js'
import { realDisk } from '#src/adapters/landing/disk.js'
import type { ObjectStore } from '#src/ports/git.js'
import { syncGit } from './sync-git.js'

const weighLimitMs = 60_000
/** Nobody waits for a packing, and on a busy machine its low priority makes it long. */
const packLimitMs = 1_800_000

/**
 * A long grace period, no child that outlives its git, no lock on packed-refs, which a person may need, and one thread,
 * which leaves the other processors to the daemon.
 */
const tidy = [
  'gc.auto=6700',
  'gc.pruneExpire=2.weeks.ago',
  'gc.autoDetach=false',
  'gc.packRefs=false',
  'pack.threads=1',
].flatMap(setting => ['-c', setting])

/** The number of a line such as `count: 42` of git's report; null without one. */
const numberIn = (report: string, name: string): number | null => {
  const line = report.split('\n').find(one => one.startsWith(`${name}: `))
  return line === undefined ? null : Number(line.slice(name.length + 2))
}

/** The object store of a checkout, kept small by git's own commands. Each runs as a chore (ADR 1011). */
export const gitObjectStore = (repo: string): ObjectStore => {
  const tidyUp = async (command: ReadonlyArray<string>, signal: AbortSignal): Promise<void> => {
    const run = { cwd: repo, signal, limitMs: packLimitMs, background: true }
    await asChore(realDisk, repo, () => syncGit([...tidy, ...command], run))
  }
  return {
    weigh: async signal => {
      const run = { cwd: repo, signal, limitMs: weighLimitMs, background: true }
      const { code, stdout } = await syncGit(['count-objects', '-v'], run)
      const report = stdout.toString('utf8')
      const [objects, kib] = [numberIn(report, 'count'), numberIn(report, 'size')]
      return code !== 0 || objects === null || kib === null ? null : { objects, bytes: kib * 1024 }
    },
    pack: signal => tidyUp(['repack', '-d', '-l', '--quiet'], signal),
    collectGarbage: signal => tidyUp(['gc', '--auto', '--quiet'], signal),
  }
}
