import { equal, ok } from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { longestTurnMs } from '#test/support/longest-turn.js'
import { processorTimeMs } from '#test/support/processor-time.js'
import { areWhole } from '#test/support/runs.js'
import { type SyncWorld, syncWorld } from '#test/support/sync-hosts.js'

const index = 'encje/indeks.md'
const orrin = '### Orrin\n- @typ: NPC\n'
const rows = (host: string, count: number): string =>
  Array.from({ length: count }, (_, at) => `- @info: ${host} ${at}\n`).join('')

describe('a converge of two hosts that both wrote much', () => {
  let world: SyncWorld
  beforeEach(() => {
    world = syncWorld({ [index]: orrin })
  })
  afterEach(() => world.dispose())

  for (const count of areWhole ? [600, 20_000] : [600])
    it(`merges ${count} rows of each into one block and holds up the event loop for no long turn`, async () => {
      const [one, two] = [await world.host('a'), await world.host('b')]
      one.write({ [index]: orrin + rows('a', count) })
      two.write({ [index]: orrin + rows('b', count) })
      await one.sync()
      const startedMs = processorTimeMs()
      const worstMs = await longestTurnMs(async () => {
        equal((await two.sync()).lastAction, 'merged')
      })
      const allMs = processorTimeMs() - startedMs
      equal(two.file(index).split('\n').length, 2 * count + 2)
      ok(worstMs < 150, `a turn of ${worstMs} ms`)
      ok(allMs < 10_000, `${allMs} ms`)
    })

  it('merges 33,000 blocks of which each side changed every other one, without the line merge of git', async () => {
    const text = (word: string, rest: number): string =>
      Array.from(
        { length: 33_000 },
        (_, at) => `### B${at}\n- @typ: NPC\n${at % 2 === rest ? `- @info: ${word} ${at}\n` : ''}`,
      ).join('')
    const [one, two] = [await world.host('a'), await world.host('b')]
    one.write({ [index]: text('', 2) })
    await one.sync()
    await two.sync()
    one.write({ [index]: text('a', 0) })
    two.write({ [index]: text('b', 1) })
    await one.sync()
    const startedMs = processorTimeMs()
    equal((await two.sync()).lastAction, 'merged')
    ok(processorTimeMs() - startedMs < 30_000)
    equal(two.git('grep', '-c', '', 'HEAD', '--', index), `HEAD:${index}:99000`)
    equal(two.ended.at(-1)?.run.resolved, 1)
  })

  it('parks the own side of a file that is too large to merge, and loses nothing', async () => {
    const [one, two] = [await world.host('a'), await world.host('b')]
    one.write({ [index]: orrin + rows('a', 100_001) })
    two.write({ [index]: orrin + rows('b', 3) })
    await one.sync()
    const report = await two.sync()
    equal(report.lastAction, 'conflict_parked')
    ok(two.ended.at(-1)?.run.parked[0]?.reason.includes('too_large'))
    const kept = report.parked[0]?.commit ?? ''
    equal(`${two.git('cat-file', 'blob', `${kept}:${index}`)}\n`, orrin + rows('b', 3))
    equal(two.git('rev-parse', `HEAD:${index}`), one.git('rev-parse', `HEAD:${index}`))
  })
})
