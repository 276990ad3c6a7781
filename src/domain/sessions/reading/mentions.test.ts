import { deepEqual, equal } from 'node:assert/strict'
import { nameKey } from '#protocol/atoms.js'
import { worldOf } from '#test/support/world.js'
import { sessionsNaming } from '../../../../test/support/at-once.js'
import { findMentioned } from './mentions.js'

const index = ['Erathia', 'Wieża Erathii', 'Anna', 'Anna Wielka', 'Żółw', 'Kupcy', 'Wieża (Nighon)', 'As']
  .map(name => `### ${name}\n- @typ: NPC\n`)
  .join('\n')

const findNames = (prose: string): ReadonlyArray<string> => {
  const { sessions, names } = worldOf({
    'encje/indeks.md': `${index}\n### Erathia\n- @typ: Mapa\n`,
    'a.md': `### 2024-05-03, T, S\n\n${prose}\n`,
  })
  return sessions.all.flatMap(session =>
    findMentioned(session, names).map(entity => `${entity.type} ${entity.name}`),
  )
}

describe('prose', () => {
  it('names the longest spelling, whatever the case and the blanks', () => {
    deepEqual(findNames('Oto ANNA\nwielka i anna.'), ['NPC Anna Wielka', 'NPC Anna'])
    deepEqual(findNames('_Wieża  Erathii_'), ['NPC Wieża Erathii'])
    deepEqual(findNames('Z\u0307ółw'), ['NPC Żółw'])
    deepEqual(findNames('wieża (Nighon), dalej'), ['NPC Wieża (Nighon)'])
  })
  it('names in any spelling of signs, also where characters that do not show break a word', () => {
    const found = (prose: string) =>
      worldOf({
        'encje/indeks.md': "### O'Braz\n- @typ: NPC\n\n### Torek-Zdrojek\n- @typ: NPC\n",
        'a.md': `### 2024-05-03, T, S\n\n${prose}\n`,
      })
    for (const prose of [
      'Oto O\u2019Braz.',
      'Oto O\u02bcBraz.',
      'Oto O`Bra\u00adz.',
      'Oto o\uff07bra\u200bz.',
    ]) {
      const { sessions, names } = found(prose)
      deepEqual(
        sessions.all.flatMap(session => findMentioned(session, names).map(one => one.name)),
        ["O'Braz"],
        prose,
      )
    }
    for (const prose of ['To\u00adrek\u2011Zdrojek', 'Torek\u2013Zdrojka', 'Torek-Zdroj\u200bka']) {
      const { sessions, names } = found(prose)
      deepEqual(
        sessions.all.flatMap(session => findMentioned(session, names).map(one => one.name)),
        ['Torek-Zdrojek'],
        prose,
      )
    }
  })
  it('names every homonym', () => {
    deepEqual(findNames('Erathia'), ['NPC Erathia', 'Mapa Erathia'])
  })
  it('names nobody by a part of a word, an address, a fence or two letters', () => {
    deepEqual(findNames('Annały, as, https://a.pl/Anna'), [])
    deepEqual(findNames('```\nAnna\n```'), [])
    deepEqual(findNames('```\nAnna\n```\nŻółw'), ['NPC Żółw'])
    deepEqual(findNames('[Anna](https://a.pl/Erathia)'), ['NPC Anna'])
  })
  it('names in preserved blocks', () => {
    deepEqual(findNames('- Efekty:\n    - Anna rośnie'), ['NPC Anna'])
  })
})

describe('sessions that name an entity', () => {
  it('are found by every field, oldest first', () => {
    const text = `### 2024-06-01, A, S

- @Lokacje:
    - Steadwick/Erathia -> Żółw
- @PU:
    - Anna: 0.3
- @Uczestnicy: Anna Wielka
- @Intel:
    - Grupa/Kupcy: wieść

### 2024-05-01, B, Anna + Żółw

- @Transfer: 5 koron, Anna Wielka -> As
`
    const { sessions, names } = worldOf({ 'encje/indeks.md': index, 'a.md': text })
    const naming = sessionsNaming(sessions, names)
    const titles = (name: string): ReadonlyArray<string> =>
      (names.exact.get(nameKey(name)) ?? []).flatMap(entity =>
        (naming.get(entity) ?? []).map(one => one.title),
      )
    deepEqual(titles('Erathia'), ['A'])
    deepEqual(titles('Żółw'), ['B', 'A'])
    deepEqual(titles('Anna'), ['B', 'A'])
    deepEqual(titles('Anna Wielka'), ['B', 'A'])
    deepEqual(titles('Kupcy'), ['A'])
    deepEqual(titles('As'), ['B'])
    equal(sessionsNaming(sessions, names), naming)
  })
})
