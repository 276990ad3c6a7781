import { ok } from 'node:assert/strict'
import { afterEach, describe, it } from 'mocha'
import { makeRefusingDisk } from '#test/support/broken-disk.js'
import { isWhole, makeLandingRig, recoverAnew, writeThrough } from '#test/support/landing-rig.js'
import { numbersBelow, someOf } from '#test/support/runs.js'

describe('a landing on a disk that refuses', () => {
  let disposals: ReadonlyArray<() => void> = []
  const fresh = () => {
    const one = makeLandingRig()
    disposals = [...disposals, one.dispose]
    return one
  }
  afterEach(() => {
    for (const dispose of disposals) dispose()
    disposals = []
  })

  it('is refused with the reason of the disk at every call that needs room, and lands when there is room again', async () => {
    const { repository: probe, intents: told } = fresh()
    const counted = makeRefusingDisk(Number.POSITIVE_INFINITY, 'ENOSPC')
    await writeThrough(probe, told, { disk: counted.disk })
    for (const at of someOf(numbersBelow(counted.calls.length)))
      for (const code of at % 2 === 0 ? ['ENOSPC'] : ['EIO']) {
        const { repository, intents } = fresh()
        const tried = await writeThrough(repository, intents, { disk: makeRefusingDisk(at, code).disk })
        const hasWrite = repository.git('rev-list', '--count', 'HEAD') === '2'
        if (hasWrite) ok(tried.landed !== null, 'a write that stands is told as one')
        else ok(tried.reason.includes('"Disk"') && tried.reason.includes(code), tried.reason)
        await recoverAnew(repository, intents)
        isWhole(repository, intents, hasWrite)
      }
  })
})
