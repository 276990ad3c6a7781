import { deepEqual, equal } from 'node:assert/strict'
import { worldOf } from '#test/support/world.js'
import { sessionsNaming } from '../../../../test/support/at-once.js'
import { findMentioned } from './mentions.js'

const index = [
  'Kupiec Orrin',
  'Wieża Erathii',
  'Anna',
  'Anna Wielka',
  'Żółw',
  'Elmira Zdrojek-Morawińska',
  'Torek „Kruk” Dębowy',
  'Złota Brama',
  'Kupcy',
]
  .map(name => `### ${name}\n- @typ: NPC\n`)
  .join('\n')

const namesIn = (prose: string, more = ''): ReadonlyArray<string> => {
  const { sessions, names } = worldOf({
    'encje/indeks.md': `${index}\n${more}`,
    'a.md': `### 2024-05-03, T, S\n\n${prose}\n`,
  })
  return sessions.all.flatMap(session => findMentioned(session, names).map(({ name }) => name))
}

describe('prose in other forms', () => {
  it('names a block by an inflected form, in any case and without Polish marks', () => {
    deepEqual(namesIn('Spotkali Kupca Orrina, potem kupcowi Orrinowi.'), ['Kupiec Orrin'])
    deepEqual(namesIn('Widać Zolwia i Żółwiem.'), ['Żółw'])
    deepEqual(namesIn('_Wieżą  Erathii_ i [Annie](https://a.pl)'), ['Wieża Erathii', 'Anna'])
    deepEqual(namesIn('Z KUPCEM\nORRINEM'), ['Kupiec Orrin'])
  })
  it('takes the longest form, and goes on after it', () => {
    deepEqual(namesIn('Dał to Annie Wielkiej i Annie.'), ['Anna Wielka', 'Anna'])
    deepEqual(namesIn('U Annie, Wielkiej'), ['Anna'])
  })
  it('names a block by its computed aliases', () => {
    deepEqual(namesIn('Był tam Orrin.'), ['Kupiec Orrin'])
    deepEqual(namesIn('Z Elmirą Morawińską i z Krukiem.'), [
      'Elmira Zdrojek-Morawińska',
      'Torek „Kruk” Dębowy',
    ])
  })
  it('takes no word in lower case for a form', () => {
    deepEqual(namesIn('Pod bramą żółwie z kruka i kupcom orrina.'), [])
    deepEqual(namesIn('anna i żółw'), ['Anna', 'Żółw'])
  })
  it('takes no form across a full stop, a comma or an empty line', () => {
    deepEqual(namesIn('Nie Annie. Wielkiej nie ma.'), ['Anna'])
    deepEqual(namesIn('Była Anny\n\nWielkiej'), ['Anna'])
  })
  it('names every owner of a form', () => {
    const two = '### Janek\n- @typ: NPC\n\n### Janko\n- @typ: NPC\n'
    deepEqual(namesIn('Nie było Janka.', two), ['Janko', 'Janek'])
  })
  it('names nobody by a misspelling, a name behind a title or a form in a fence', () => {
    deepEqual(namesIn('Był Zułwi. Był Orin. Był Mistrz Xeron.', '### Xero\n- @typ: NPC\n'), [])
    deepEqual(namesIn('```\nAnny\n```\nhttps://a.pl/Anny'), [])
  })
  it('names by apostrophes and hyphens inside of names', () => {
    const more = "### d'Artagnan\n- @typ: NPC\n\n### Nowa-Wieś\n- @typ: Lokacja\n"
    deepEqual(namesIn('Nie ma d’Artagnana w Nowej-Wsi.', more), ["d'Artagnan", 'Nowa-Wieś'])
  })
})

describe('sessions that name an entity by a form', () => {
  it('are found by every field but PU, and by the narrator behind a title', () => {
    const { sessions, names, entities } = worldOf({
      'encje/indeks.md': index,
      'a.md': `### 2024-06-01, A, Mistrz Żółw

- @Lokacje:
    - Wieży Erathii/Złotej Bramy
- @PU:
    - Anny: 0.3
- @Uczestnicy: Annie Wielkiej
- @Intel:
    - Grupa/Kupców: wieść

### 2024-06-02, B, S

- @Transfer: 5 koron, Orrina -> Krukowi
`,
    })
    const naming = sessionsNaming(sessions, names)
    const titles = Object.fromEntries(
      entities.all.map(entity => [entity.name, (naming.get(entity) ?? []).map(one => one.title).join()]),
    )
    deepEqual(titles, {
      'Kupiec Orrin': 'B',
      'Wieża Erathii': 'A',
      Anna: '',
      'Anna Wielka': 'A',
      Żółw: 'A',
      'Elmira Zdrojek-Morawińska': '',
      'Torek „Kruk” Dębowy': 'B',
      'Złota Brama': 'A',
      Kupcy: 'A',
    })
    equal(sessionsNaming(sessions, names), naming)
  })
})
