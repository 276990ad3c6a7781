import { deepEqual, equal, ok } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { gitLocks } from '#protocol/host/sync.js'
import { attachMeter } from '#src/adapters/metrics/process-meter.js'
import { prometheus } from '#src/adapters/metrics/prometheus.js'
import {
  isWhole,
  type LandingRig,
  makeLandingRig,
  recoverAnew,
  writeThrough,
} from '#test/support/landing-rig.js'
import { sampleSum } from '#test/support/metric-text.js'
import { writeFiles } from '#test/support/repository.js'
import { asChore, bootMs, listLivingGits } from './chores.js'
import { realDisk } from './disk.js'

const chores = '.svc/state/chores'
const mark = `${chores}/0a1b2c3d4e5f`
/** Locks that a killed `gc` or removal of a ref may leave. */
const locks = [
  '.git/HEAD.lock',
  '.git/refs/heads/main.lock',
  '.git/logs/HEAD.lock',
  '.git/logs/refs/heads/main.lock',
  '.git/packed-refs.lock',
  '.git/packed-refs.new',
  '.git/gc.pid.lock',
  '.git/objects/info/commit-graph.lock',
]

describe('the locks of a chore that was killed', () => {
  let rig: LandingRig
  beforeEach(() => {
    rig = makeLandingRig()
  })
  afterEach(() => rig.dispose())

  const at = (path: string): string => join(rig.repository.path, path)
  const leave = (path: string, content: string, agoMs: number): void => {
    writeFiles(rig.repository.path, { [path]: content })
    const seconds = (bootMs - agoMs) / 1000
    utimesSync(at(path), seconds, seconds)
  }
  const standing = (): ReadonlyArray<string> => locks.filter(path => existsSync(at(path)))
  const killed = (locksAgoMs = 20_000): void => {
    leave(mark, '1700000000000\n', 30_000)
    for (const path of locks) leave(path, '', locksAgoMs)
  }
  const marks = (): ReadonlyArray<string> => readdirSync(at(chores))

  it('are removed before the first write, which lands', async () => {
    killed()
    ok((await writeThrough(rig.repository, rig.intents)).landed !== null)
    deepEqual([standing(), marks()], [[], []])
    isWhole(rig.repository, rig.intents, true)
  })

  it('are counted by kind when they are removed, and not while they stay', async () => {
    const metrics = prometheus(() => undefined)
    const detach = attachMeter(metrics.meter)
    const counts = async (): Promise<ReadonlyArray<string>> => {
      const text = await metrics.text()
      return gitLocks.map(lock => `${lock} ${sampleSum(text, 'svc_git_stale_locks_removed_total', { lock })}`)
    }
    try {
      killed(40_000)
      await recoverAnew(rig.repository, rig.intents)
      deepEqual(
        await counts(),
        gitLocks.map(lock => `${lock} 0`),
      )
      killed()
      await recoverAnew(rig.repository, rig.intents)
      const removed = ['index 0', 'head 1', 'ref 1', 'log 2', 'packed_refs 2', 'gc 1', 'objects 1']
      deepEqual(await counts(), removed)
    } finally {
      detach()
    }
  })

  it('stay where they are older than the chore, or were made by this process', async () => {
    for (const agoMs of [40_000, -1_000]) {
      killed(agoMs)
      await recoverAnew(rig.repository, rig.intents)
      deepEqual(standing(), locks)
    }
    const { landed, reason } = await writeThrough(rig.repository, rig.intents)
    equal(landed, null)
    ok(reason.includes('"Locked"'), reason)
  })

  it('stay where no chore was under way, and where it is one of this process', async () => {
    killed()
    leave(mark, `${bootMs}\n`, 30_000)
    await recoverAnew(rig.repository, rig.intents)
    deepEqual([standing(), marks().length], [locks, 1])
  })

  it('stay while a git is at work that may hold them, and go with the first write after it', async () => {
    killed()
    const shell = spawn('sh', ['-c', 'git cat-file --batch; exit 0'], {
      cwd: rig.repository.path,
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    while ((await listLivingGits(rig.repository.path))?.length === 0)
      await new Promise(resolve => setTimeout(resolve, 20))
    equal((await writeThrough(rig.repository, rig.intents)).landed, null)
    deepEqual(standing(), locks)
    const closed = once(shell, 'close')
    shell.stdin.end()
    await closed
    ok((await writeThrough(rig.repository, rig.intents, {}, 'intent-2')).landed !== null)
    deepEqual(standing(), [])
  })

  it('have a mark while it lasts, which stays only where it was killed', async () => {
    const seen: Array<number> = []
    const ended = (code: number | null) => () => {
      seen.push(marks().length)
      return Promise.resolve({ code })
    }
    const { path } = rig.repository
    await asChore(realDisk, path, ended(1))
    await asChore(realDisk, path, ended(null))
    deepEqual([seen, marks().length], [[1, 1], 1])
  })
})
