import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { dispatch, spawn, start, stop } from 'nact'
import { realRig } from '#test/support/kernel/kernel-rig.js'
import { control } from './kernel-trap.js'
import { lifeTraps } from './kernel-traps.js'
import { mailTraps } from './kernel-traps-mail.js'
import { treeTraps } from './kernel-traps-tree.js'

const traps = [...lifeTraps, ...mailTraps, ...treeTraps]

const Verdicts = t.array(t.strict({ id: t.string, held: t.boolean, deaths: t.number }))

const naiveVerdicts = (): Promise<t.TypeOf<typeof Verdicts>> =>
  new Promise((resolve, reject) => {
    const script = new URL('../support/kernel/naive-traps.ts', import.meta.url).pathname
    const args = ['--import', 'tsx', '--conditions', 'source', script]
    execFile(process.execPath, args, { timeout: 60_000 }, (error, stdout) => {
      if (error !== null) return reject(new Error(error.message))
      const decoded = Verdicts.decode(JSON.parse(stdout))
      if (isLeft(decoded)) return reject(new Error(`no verdicts: ${stdout}`))
      resolve(decoded.right)
    })
  })

/** Waits until nact has taken every turn that is due. */
const settleNact = async (): Promise<void> => {
  for (let round = 0; round < 20; round += 1) await new Promise(resolve => setImmediate(resolve))
}

describe('nact itself', () => {
  it('does not stop the children of an actor that is stopped: they handle what waits', async () => {
    const system = start()
    const parent = spawn(system, (state: null) => state, 'parent', { initialStateFunc: () => null })
    let handled = 0
    const count = (state: null): null => {
      handled += 1
      return state
    }
    const child = spawn(parent, count, 'child', { initialStateFunc: () => null })
    for (let n = 0; n < 3; n += 1) dispatch(child, n)
    stop(parent)
    await settleNact()
    assert.equal(handled, 3)
  })

  it('copies the child map of an actor for each message', async () => {
    const system = start()
    const copies: ReadonlyMap<string, unknown>[] = []
    const parent = spawn(
      system,
      (state: null, _message: unknown, { children }) => {
        copies.push(children)
        return state
      },
      'parent',
      { initialStateFunc: () => null },
    )
    for (let n = 0; n < 100; n += 1)
      spawn(parent, (state: null) => state, `child-${n}`, { initialStateFunc: () => null })
    for (let n = 0; n < 3; n += 1) dispatch(parent, n)
    await settleNact()
    assert.deepEqual(
      copies.map(copy => copy.size),
      [100, 100, 100],
    )
    assert.equal(new Set(copies).size, 3)
  })
})

describe('the traps of nact', () => {
  describe('do not catch the kernel', () => {
    for (const trap of traps)
      it(`${trap.id}: ${trap.says}`, async () => {
        assert.equal(await trap.holds(realRig), true)
      })
  })

  describe('catch the naive kernel', () => {
    let verdicts: t.TypeOf<typeof Verdicts> = []

    before(async () => {
      verdicts = await naiveVerdicts()
    })

    it('but not in plain use', async () => {
      assert.equal(await control.holds(realRig), true)
      assert.deepEqual(verdicts[0], { id: 'control', held: true, deaths: 0 })
    })

    for (const trap of traps)
      it(trap.id, () => {
        const verdict = verdicts.find(each => each.id === trap.id)
        assert.ok(verdict !== undefined)
        if (trap.isDeadly) assert.ok(verdict.deaths > 0, 'the naive kernel would end the process')
        else assert.equal(verdict.held, false, 'the naive kernel shows the defect')
      })
  })
})
