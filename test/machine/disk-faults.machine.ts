import { deepEqual, equal, ok } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'mocha'
import { askMode, askOrNull, patch } from '#test/kill-points/asks.js'
import { historyViolations } from '#test/kill-points/history.js'
import { openLedger, type WriteLedger } from '#test/kill-points/ledger.js'
import { names, smallWorld } from '#test/kill-points/lore.js'
import { plantWork, workOf } from '#test/kill-points/person.js'
import { type KillPlace, openPlace } from '#test/kill-points/place.js'
import { type KillSubject, startSubject } from '#test/kill-points/subject.js'
import { repositoryViolations } from '#test/kill-points/verify.js'
import type { Client } from '#test/support/http-client.js'
import { hasTool } from './tool.js'

/** Which calls the system refuses; `only` one file below the repository, null: wherever they go. */
interface Fault {
  readonly calls: string
  readonly error: 'ENOSPC' | 'EIO'
  /** From which call of each thread on. */
  readonly from: number
  readonly only: string | null
  /**
   * What POST /admin/mode may answer while the calls are refused. 503: the probe of the disk makes such a call (D28).
   * Both: the probe does not, but the gate first finishes a checkout that was cut short, where one was.
   */
  readonly opening: ReadonlyArray<200 | 503>
}

const [flush, rename, wal] = ['fsync,fdatasync', 'rename,renameat,renameat2', '.svc/state/runtime.db-wal']
const faults: ReadonlyArray<Fault> = [
  { calls: flush, error: 'ENOSPC', from: 1, only: null, opening: [503] },
  { calls: flush, error: 'EIO', from: 3, only: null, opening: [503] },
  { calls: rename, error: 'ENOSPC', from: 1, only: null, opening: [200] },
  { calls: rename, error: 'EIO', from: 2, only: null, opening: [200, 503] },
  { calls: 'link,linkat', error: 'ENOSPC', from: 1, only: null, opening: [200] },
  { calls: 'pwrite64', error: 'ENOSPC', from: 1, only: wal, opening: [503] },
  { calls: flush, error: 'EIO', from: 1, only: wal, opening: [503] },
]

interface Faulty {
  /** Lets the calls go through again; how many were refused. */
  readonly end: () => Promise<number>
}

/** Refuses calls of a process and of all that it starts, until it is ended. */
const refuseCalls = async (pid: number, { root, repo }: KillPlace, fault: Fault): Promise<Faulty> => {
  const log = join(root, 'refused')
  const path = fault.only === null ? [] : ['-P', join(repo, fault.only)]
  const child = spawn(
    'strace',
    [
      '-f',
      ...path,
      '-e',
      `trace=${fault.calls}`,
      '-e',
      `inject=${fault.calls}:error=${fault.error}:when=${fault.from}+`,
      '-o',
      log,
      '-p',
      `${pid}`,
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const left = once(child, 'close')
  await once(child.stderr, 'data')
  return {
    end: async () => {
      child.kill('SIGKILL')
      await left
      return readFileSync(log, 'latin1').split('(INJECTED)').length - 1
    },
  }
}

/** What a gate that a disk closed answers. */
const closed = [403, 403, 403, 403]

const wave = (client: Client, ledger: WriteLedger): Promise<ReadonlyArray<number>> =>
  Promise.all(names.slice(0, 4).map(name => patch(client, ledger, name)))

const readStatus = async (client: Client): Promise<number> =>
  (await askOrNull(client, '/entities', {}))?.status ?? 0

describe('a disk that refuses', () => {
  const started = async (place: KillPlace): Promise<readonly [KillSubject, Client]> => {
    const subject = startSubject(place.repo, false)
    const client = await subject.ready
    if (client === null) throw new Error(subject.complaint())
    return [subject, client]
  }

  for (const fault of faults)
    it(`${fault.calls} with ${fault.error} from ${fault.from}${fault.only === null ? '' : ` in ${fault.only}`}`, async function () {
      if (!hasTool('strace')) this.skip()
      this.timeout(120_000)
      const place = openPlace(smallWorld(), false)
      plantWork(place.repo)
      const [subject, client] = await started(place)
      try {
        const ledger = openLedger()
        deepEqual(await wave(client, ledger), [200, 200, 200, 200])
        const before = workOf(place.repo)
        const faulty = await refuseCalls(subject.pid, place, fault)
        await wave(client, ledger)
        await wave(client, ledger)
        deepEqual([await wave(client, ledger), await readStatus(client)], [closed, 200])
        const opened = await askMode(client, 'read-write')
        ok(
          fault.opening.some(status => status === opened),
          `the gate answered ${opened}`,
        )
        await wave(client, ledger)
        deepEqual([await wave(client, ledger), await readStatus(client)], [closed, 200])
        ok((await faulty.end()) > 0, 'no call was refused')
        deepEqual(await wave(client, ledger), closed, 'the gate waits for a person')
        equal(await askMode(client, 'read-write'), 200)
        deepEqual(await wave(client, ledger), [200, 200, 200, 200])
        deepEqual(historyViolations(place.repo, ledger), [])
        deepEqual(repositoryViolations(place, { before, now: workOf(place.repo) }), [])
      } finally {
        subject.kill('group')
        await subject.gone
        place.dispose()
      }
    })
})
