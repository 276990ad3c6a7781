import { deepEqual, equal } from 'node:assert/strict'
import { openSessionsOf } from '#src/domain/sessions/session-answers.js'
import { day, worldOf } from '#test/support/world.js'
import { type Folded, foldNarrator, narratorsOf } from './narrators.js'

const world = worldOf({
  'kontrybutorzy.md':
    '## Gracz\n### Solmyr\n- @gameid: 1\n### Kyrre\n- @gameid: 2\n### Brzozowski\n- @gameid: 3\n',
  'encje/indeks.md':
    '### Anna\n- @typ: Postać\n- @należy_do: Solmyr (:2024-05)\n- @należy_do: Kyrre (2024-06:)\n',
  'sesje/2024.md': '### 2024-06-01, Wieża, Brzozowskki\n\nTekst.\n\n### 2024-06-02, Port, Brzozowski\n',
})
const today = day('2024-07-01')
const fold = (text: string): Folded => foldNarrator(world, text, today)

describe('an inflected narrator', () => {
  it('is the Gracz, marked as not sure', () => {
    deepEqual(fold('Solmyra'), { _tag: 'Person', key: 'gracz solmyr', name: 'Solmyr', sure: false })
    equal(narratorsOf(world, 'Solmyrem + Kyrre', today).confidence, 'Medium')
  })
  it('is the Gracz of the day of a Postać, marked as not sure', () => {
    deepEqual(fold('Anny'), { _tag: 'Person', key: 'gracz kyrre', name: 'Kyrre', sure: false })
  })
  it('asks for the open sessions of the person', () => {
    const { sessions, forms, sure } = openSessionsOf(world, 'Brzozowskiego')
    deepEqual(
      [sessions.map(one => one.title), forms, sure],
      [['Wieża', 'Port'], ['Brzozowskki', 'Brzozowski'], false],
    )
  })
})
