import { deepEqual, equal, match, ok, throws } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { figureAtMost } from './figure.js'
import { chooseGroups, type Group, runGroups } from './groups.js'
import { type MachineReading, machineBetween, reference } from './machine.js'

const group = (word: string, measure: Group['measure']): Group => ({ word, measure })
const figures = (name: string, seen: number) => () => Promise.resolve([figureAtMost(name, 'ms', 10, seen)])
const asReference = (): Promise<MachineReading> => Promise.resolve({ ...reference, fsyncMs: 1 })

const runThem = async (groups: ReadonlyArray<Group>, isShared = false) => {
  const printed: Array<string> = []
  const options = { isShared, print: (text: string) => void printed.push(text), say: () => undefined }
  const report = await runGroups(groups, '', { ...options, readMachine: asReference })
  return { report, printed }
}

describe('the groups of the bench', () => {
  it('print their tables one by one, and go on behind one that fails', async () => {
    const { report, printed } = await runThem([
      group('one', figures('first', 5)),
      group('two', () => Promise.reject(new Error('POST /sync: 503 converge_busy'))),
      group('three', figures('third', 50)),
    ])
    equal(printed.length, 4)
    match(printed[0] ?? '', /first .* ok/)
    match(printed[1] ?? '', /FAILED two: POST \/sync: 503 converge_busy/)
    match(printed[2] ?? '', /third .* MISSED/)
    match(printed[3] ?? '', /missed:\n {2}third\nfailed:\n {2}two: POST \/sync: 503/)
    deepEqual(report.failed, ['two'])
    deepEqual(
      report.groups.map(each => each.figures.map(({ verdict }) => verdict)),
      [['ok'], [], ['MISSED']],
    )
  })

  it('fail by a promise that nobody waited for', async () => {
    const { report } = await runThem([
      group('stray', async () => {
        void Promise.reject(new Error('nobody waited'))
        await new Promise(resolve => setImmediate(resolve))
        return []
      }),
    ])
    equal(report.groups[0]?.error, 'nobody waited')
  })

  it('are held to floors where others use the machine', async () => {
    const { report } = await runThem([group('one', figures('time', 50))], true)
    equal(report.groups[0]?.figures[0]?.verdict, null)
  })

  it('are chosen by their word, or by the word before a hyphen', () => {
    const all = ['reads', 'threads', 'chat-answers', 'chat-backlog'].map(word => group(word, figures('', 0)))
    const chosen = (only: string): ReadonlyArray<string> => chooseGroups(all, only).map(({ word }) => word)
    deepEqual(chosen('reads'), ['reads'])
    deepEqual(chosen('chat'), ['chat-answers', 'chat-backlog'])
    equal(chosen('').length, 4)
    throws(() => chosen('cha'), /--only is one of reads, threads/)
  })
})

describe('the machine between two readings', () => {
  it('takes as many times as long as the mean of both, and swings by half their difference', () => {
    const reading = (times: number): MachineReading => ({
      wallMs: reference.wallMs * times,
      processorMs: reference.processorMs,
      fsyncMs: 1,
    })
    const { wall, processor } = machineBetween(reading(1), reading(3))
    ok(Math.abs(wall.times - 2) < 1e-9 && Math.abs(wall.swing - 0.5) < 1e-9)
    deepEqual(processor, { times: 1, swing: 0 })
  })
})
