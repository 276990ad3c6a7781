import type { ChildProcess } from 'node:child_process'
import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'

/** What a daemon spent since its start, and its worst turn since it was asked last. Times in ms of processor time. */
const Reading = t.type({ cpuMs: t.number, turnMs: t.number, heapMb: t.number })
export type Reading = t.TypeOf<typeof Reading>

const Answer = t.type({ probe: t.number, reading: Reading })

const tickMs = 5
const watchMs = 500
const settleMs = 50

/**
 * Runs in the daemon, before it, and ends it when the harness is gone. A turn is what the main thread spent on a
 * processor between two ticks of a timer, so it does not grow while others run. JavaScript in a text: the built daemon
 * loads no TypeScript.
 */
const code = `
import { readFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
const all = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000 }
const own = '/proc/self/task/' + process.pid + '/schedstat'
const spent = () => {
  try { return Number(readFileSync(own, 'utf8').split(' ')[0]) / 1e6 } catch { return all() }
}
if (isMainThread && process.send !== undefined) {
  let [worst, last] = [0, spent()]
  const tick = () => { const now = spent(); worst = Math.max(worst, now - last); last = now }
  setInterval(tick, ${tickMs}).unref()
  process.on('message', asked => {
    tick()
    const [cpuMs, turnMs] = [all(), worst]
    const answer = () => {
      const { heapUsed, external } = process.memoryUsage()
      process.send({ probe: asked.probe, reading: { cpuMs, turnMs, heapMb: (heapUsed + external) / 1048576 } })
      last = spent()
      worst = 0
    }
    if (!asked.collect) return answer()
    // Bytes outside the heap go a turn after what held them.
    globalThis.gc()
    setTimeout(() => { globalThis.gc(); answer() }, ${settleMs})
  })
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  process.channel.unref()
}
`

/** Arguments of node that put the probe into a process which is started with an IPC channel. */
export const probeArgs: ReadonlyArray<string> = [
  '--expose-gc',
  '--import',
  `data:text/javascript,${encodeURIComponent(code)}`,
]

export interface Probe {
  /** Takes a reading; with `collect` garbage is collected first. Null when none came before `isOver` says so. */
  readonly read: (collect: boolean, isOver: () => Promise<boolean>) => Promise<Reading | null>
}

export const probeOf = (child: ChildProcess): Probe => {
  const waiting = new Map<number, (reading: Reading | null) => void>()
  let asked = 0
  child.on('message', message => {
    const answer = Answer.decode(message)
    if (isLeft(answer)) return
    waiting.get(answer.right.probe)?.(answer.right.reading)
  })
  child.on('exit', () => {
    for (const resolve of [...waiting.values()]) resolve(null)
  })
  return {
    read: (collect, isOver) =>
      new Promise(resolve => {
        if (!child.connected) return resolve(null)
        asked += 1
        const probe = asked
        const watch = setInterval(() => {
          void isOver().then(over => {
            if (over) waiting.get(probe)?.(null)
          })
        }, watchMs)
        waiting.set(probe, reading => {
          clearInterval(watch)
          waiting.delete(probe)
          resolve(reading)
        })
        child.send({ probe, collect }, error => {
          if (error !== null) waiting.get(probe)?.(null)
        })
      }),
  }
}
