import { match } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { atOnce } from '#src/domain/slicing/sliced.js'
import { worldOf } from '#test/support/world.js'
import { reportUnresolvedNames } from './close-plan.js'

describe('names in sessions that adoption cannot resolve', () => {
  it('are told with the nearest known names', () => {
    const { sessions, entities, day } = worldOf({
      'encje/indeks.md': '### Kotlina Żubrów\n- @typ: Lokacja\n',
      'sesje/2026.md': '### 2026-02-01, Początek, Solmyr\n- @Lokacje:\n    - Kotlina Żubruw\n',
    })
    const [first] = atOnce(reportUnresolvedNames(sessions, entities, new Set(), day))
    match(`${first?.kind} ${first?.suggestion}`, /^UnresolvedPlace .*the nearest are Kotlina Żubrów\.$/)
  })
})
