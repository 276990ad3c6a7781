import { deepEqual, equal } from 'node:assert/strict'
import { isLeft, isRight } from 'fp-ts/lib/Either.js'
import { beforeEach, describe, it } from 'mocha'
import type { MapsMeasured, MeasureLimits, PictureSize } from '#src/ports/host.js'
import { openMeasureMaps } from './maps.js'

const size: PictureSize = { _tag: 'Size', width: 64, height: 32 }
const none = (reason: Extract<PictureSize, { _tag: 'NoSize' }>['reason']): PictureSize => ({
  _tag: 'NoSize',
  reason,
})

describe('measuring maps', () => {
  let nowMs: number
  let asked: Array<string>
  let events: Array<string>
  beforeEach(() => {
    nowMs = 0
    asked = []
    events = []
  })

  /** Measures so many maps; each probe takes 300 ms. */
  const opened = (sizeAt: (at: number) => PictureSize, rules = { delayMs: 100, failureBudget: 3 }) =>
    openMeasureMaps(
      {
        measure: url => {
          nowMs += 300
          asked.push(url)
          return Promise.resolve(sizeAt(asked.length - 1))
        },
        pause: ms => {
          nowMs += ms
          return Promise.resolve()
        },
        monotonicMs: () => nowMs,
        publish: (kind, payload) => void events.push(`${kind} ${JSON.stringify(payload)}`),
      },
      rules,
    )
  const maps = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ name: `Plan ${at}`, url: `https://maps.example/${at}` }))
  const limits: MeasureLimits = {
    maxMs: 600_000,
    failures: 0,
    signal: new AbortController().signal,
    isWanted: () => true,
  }
  const measured = async (
    count: number,
    sizeAt: (at: number) => PictureSize,
    given: Partial<MeasureLimits> = {},
  ): Promise<MapsMeasured> => {
    const ran = await opened(sizeAt)(maps(count), { ...limits, ...given })
    if (isLeft(ran)) throw new Error(ran.left.detail)
    return ran.right
  }

  it('gives sizes in tiles, and says why a map has none', async () => {
    const sizes = [size, none('Status:404'), { ...size, width: 65 }]
    const run = await measured(3, at => sizes[at] ?? size)
    deepEqual(run.sizes, [{ name: 'Plan 0', url: 'https://maps.example/0', wymiary: '2x1' }])
    deepEqual(run.failed, [
      { name: 'Plan 1', reason: 'Status:404' },
      { name: 'Plan 2', reason: 'NotTileMultiple:65x32' },
    ])
    deepEqual([run.reached, run.budgetExhausted, nowMs], [3, false, 1_100])
  })

  it('ends after as many transport faults in a row as the budget has, counted over runs', async () => {
    const run = await measured(9, () => none('Timeout'))
    deepEqual([run.reached, run.failures, run.budgetExhausted], [3, 3, true])
    const later = await measured(9, () => none('Unreachable'), { failures: 2 })
    deepEqual([later.reached, later.failures, later.budgetExhausted], [1, 3, true])
    const mixed = await measured(9, at => (at % 3 === 2 ? none('NotAnImage') : none('Status:503')))
    deepEqual([mixed.reached, mixed.budgetExhausted], [9, false])
  })

  it('spends no budget on what a picture is, or on what the lore says', async () => {
    const run = await measured(9, at =>
      at % 2 === 0 ? { ...size, width: 33 } : none(at % 3 === 0 ? 'HostNotAllowed' : 'Status:404'),
    )
    deepEqual([run.reached, run.failed.length, run.budgetExhausted], [9, 9, false])
  })

  it('begins no map after its time, and begins one at least', async () => {
    deepEqual([(await measured(9, () => size, { maxMs: 1_000 })).reached, nowMs], [3, 1_100])
    equal((await measured(9, () => size, { maxMs: 1 })).reached, 1)
  })

  it('ends where its caller has left, or its signal aborts, without what came since', async () => {
    let isThere = true
    const left = await measured(9, at => ((isThere = at < 1), size), { isWanted: () => isThere })
    deepEqual([left.reached, left.sizes.length], [1, 1])
    const stop = new AbortController()
    const stopped = await measured(
      9,
      at => {
        if (at === asked.length - 1 && asked.length === 4) stop.abort()
        return size
      },
      { signal: stop.signal },
    )
    deepEqual([stopped.reached, stopped.sizes.length], [1, 1])
  })

  it('publishes its progress twice a second at most, and its end', async () => {
    await measured(6, at => (at === 4 ? none('NotAnImage') : size))
    const said = events.map(event => event.replace(/^mapdimensions:progress /, ''))
    deepEqual(said, [
      '{"done":1,"total":6,"detail":"1 measured, 0 failed"}',
      '{"done":3,"total":6,"detail":"3 measured, 0 failed"}',
      '{"done":5,"total":6,"detail":"4 measured, 1 failed"}',
      '{"done":6,"total":6,"detail":"5 measured, 1 failed"}',
    ])
  })

  it('refuses a second run meanwhile, and takes one after', async () => {
    const measure = opened(() => size)
    const first = measure(maps(2), limits)
    const second = await measure(maps(2), limits)
    equal(isLeft(second) && second.left._tag, 'Overloaded')
    equal(isRight(await first), true)
    equal(isRight(await measure(maps(2), limits)), true)
  })
})
