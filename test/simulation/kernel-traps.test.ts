import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { realRig } from '#test/support/kernel/kernel-rig.js'
import { control } from './kernel-trap.js'
import { lifeTraps } from './kernel-traps.js'
import { mailTraps } from './kernel-traps-mail.js'

const traps = [...lifeTraps, ...mailTraps]

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
