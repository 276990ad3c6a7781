import { deepEqual } from 'node:assert/strict'
import { describe, it } from 'mocha'
import type { Touched } from '#src/domain/lore/changes.js'
import { afterWrites } from './gate.js'

const runHooks = async (touches: ReadonlyArray<Touched>) => {
  const seen: Array<readonly [string, unknown]> = []
  const records = {
    publish: (kind: string, payload: unknown) => void seen.push([kind, payload]),
    audit: () => undefined,
  }
  const fact = { commit: 'c1', route: 'r', actor: 'Cis', intent: 'i', subject: 's', touches, audit: [] }
  for (const { run } of afterWrites(
    records,
    () => undefined,
    () => Promise.resolve(),
  ))
    await run(fact)
  return seen.filter(([kind]) => kind !== 'write:committed')
}

describe('the events of a write', () => {
  it('are governance:changed too where it changed permissions', async () => {
    deepEqual(await runHooks([{ kind: 'permissions', name: '100' }]), [
      ['governance:changed', { commit: 'c1', gameId: '100', actor: 'Cis' }],
    ])
  })

  it('are write:committed alone elsewhere', async () => {
    deepEqual(await runHooks([{ kind: 'schedule', name: 'settlement' }]), [])
    deepEqual(await runHooks([]), [])
  })
})
