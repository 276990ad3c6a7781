import { equal } from 'node:assert/strict'
import { hasNameForms } from '#src/domain/names/name-index.js'
import { realClock } from '#src/kernel/time/clock.js'
import { buildSnapshot } from '#src/snapshot/build.js'
import { inputsOf } from '#test/support/world.js'
import { awaitNames } from './ask-readers.js'

const lore = { 'encje/miejsca.md': '### Erathia\n- @typ: Lokacja\n### Chmurarobór\n- @typ: Lokacja\n' }

describe('a request before the names of the first snapshot have their forms', () => {
  it('waits until they are made, which an early row does not', async () => {
    const { snapshot } = buildSnapshot(inputsOf(lore), null)
    const front = { snapshot: () => snapshot, clock: realClock }
    equal(hasNameForms(snapshot.names), false)
    equal(awaitNames({ early: true }, front), undefined)
    const [one, other] = [awaitNames({ early: false }, front), awaitNames({ early: false }, front)]
    await Promise.all([one, other])
    equal(hasNameForms(snapshot.names), true)
    equal(awaitNames({ early: false }, front), undefined)
  })
})
