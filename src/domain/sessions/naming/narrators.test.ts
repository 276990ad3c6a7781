import { deepEqual, equal } from 'node:assert/strict'
import { day, worldOf } from '#test/support/world.js'
import { foldNarrator, narratorsOf } from './narrators.js'

const { names } = worldOf({
  'kontrybutorzy.md': '## Gracz\n### Solmyr\n- @gameid: 1\n- @alias: Sol\n### Kyrre\n- @gameid: 2\n',
  'encje/indeks.md':
    '### Anna\n- @typ: Postać\n- @należy_do: Solmyr (:2024-05)\n- @należy_do: Kyrre (2024-06:)\n\n### Sierota\n- @typ: Postać\n',
})
const today = day('2024-07-01')
const key = (text: string): string => foldNarrator(names, text, today).key

describe('a narrator', () => {
  it('folds by name, alias and character to one person of the day', () => {
    equal(key('sol'), key('Solmyr'))
    equal(key('Anna'), key('Kyrre'))
    equal(foldNarrator(names, 'Anna', day('2024-05-01')).key, key('Solmyr'))
  })
  it('is the council, or a literal where nobody answers', () => {
    equal(foldNarrator(names, ' RADA ', today)._tag, 'Council')
    deepEqual(foldNarrator(names, 'Sierota', today), { _tag: 'Unknown', key: 'sierota' })
  })
  it('is found inside conjunctions and parentheses for display', () => {
    deepEqual(narratorsOf(names, 'Solmyr i Kyrre', today), {
      council: false,
      persons: ['Solmyr', 'Kyrre'],
      confidence: 'High',
    })
    deepEqual(narratorsOf(names, 'Rada (autorstwo: Sol) + Nikt', today), {
      council: true,
      persons: ['Solmyr'],
      confidence: 'High',
    })
    equal(narratorsOf(names, null, today).confidence, 'None')
  })
})
