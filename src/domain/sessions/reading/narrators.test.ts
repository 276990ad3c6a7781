import { deepEqual, equal } from 'node:assert/strict'
import { openSessionsOf } from '#src/domain/sessions/session-answers.js'
import { day, worldOf } from '#test/support/world.js'
import { type Folded, foldNarrator, narratorsOf } from './narrators.js'

const graczOf = (name: string, at: number, alias = ''): string =>
  `### ${name}\n- @gameid: ${at}\n${alias === '' ? '' : `- @alias: ${alias}\n`}`

const world = worldOf({
  'kontrybutorzy.md': [
    '## Gracz',
    graczOf('Solmyr', 1, 'Sol'),
    graczOf('Kyrre', 2),
    graczOf('Brzozowski', 3),
    graczOf('Mironowicz', 4),
    graczOf('Mirunowicz', 5),
    graczOf('Jan i Ola', 6),
  ].join('\n'),
  'encje/indeks.md': [
    '### Anna\n- @typ: Postać\n- @należy_do: Solmyr (:2024-05)\n- @należy_do: Kyrre (2024-06:)',
    '### Sierota\n- @typ: Postać',
    '### Brzozowska\n- @typ: Postać\n- @należy_do: Kyrre',
    '### Radomira Wilcza\n- @typ: Postać\n- @należy_do: Kyrre',
  ].join('\n\n'),
  'sesje/2024.md': [
    '### 2024-06-01, Wieża, Brzozowskki',
    '### 2024-06-02, Port, Brzozowski',
    '### 2024-06-03, Most, Brzozowski i Kyrre',
    '### 2024-06-04, Las, Mirinowicz',
  ].join('\n\nTekst.\n\n'),
})
const today = day('2024-07-01')
const fold = (text: string): Folded => foldNarrator(world, text, today)
const key = (text: string): string => fold(text).key

describe('a narrator', () => {
  it('folds by name, alias and character to one person of the day', () => {
    equal(key('sol'), key('Solmyr'))
    equal(key('Anna'), key('Kyrre'))
    equal(foldNarrator(world, 'Anna', day('2024-05-01')).key, key('Solmyr'))
  })
  it('is the council, or a literal where nobody answers', () => {
    equal(fold(' RADA ')._tag, 'Council')
    deepEqual(fold('Sierota'), { _tag: 'Unknown', key: 'sierota' })
  })
  it('is found inside conjunctions and parentheses for display', () => {
    deepEqual(narratorsOf(world, 'Solmyr i Kyrre', today), {
      council: false,
      persons: ['Solmyr', 'Kyrre'],
      confidence: 'High',
    })
    deepEqual(narratorsOf(world, 'Rada (autorstwo: Sol) + Nikt', today), {
      council: true,
      persons: ['Solmyr'],
      confidence: 'High',
    })
    equal(narratorsOf(world, null, today).confidence, 'None')
  })
})

describe('a narrator in another form', () => {
  it('comes after every written name', () => {
    deepEqual(fold('Brzozowska'), { _tag: 'Person', key: 'gracz kyrre', name: 'Kyrre', sure: true })
  })
  it('does not make a conjunction a person', () => {
    deepEqual(fold('Solmyra i Kyrre'), { _tag: 'Unknown', key: 'solmyra i kyrre' })
    deepEqual(fold('Jan i Ola'), { _tag: 'Person', key: 'gracz jan i ola', name: 'Jan i Ola', sure: true })
    deepEqual(fold('Jan i Ole'), { _tag: 'Unknown', key: 'jan i ole' })
  })
})

describe('a narrator called by a word of the name of a Postać', () => {
  it('is not its Gracz, in any case of the word', () => {
    for (const text of ['Radomira', 'Radomiry', 'Wilczej', 'pani Radomira'])
      equal(fold(text)._tag, 'Unknown', text)
  })
  it('is its Gracz by the whole name', () => {
    deepEqual(fold('Radomirze Wilczej'), { _tag: 'Person', key: 'gracz kyrre', name: 'Kyrre', sure: false })
  })
})

describe('a narrator of a near spelling', () => {
  it('is the one Gracz within the similarity, marked as not sure', () => {
    deepEqual(fold('Brzozowskki'), {
      _tag: 'Person',
      key: 'gracz brzozowski',
      name: 'Brzozowski',
      sure: false,
    })
    deepEqual(fold('Brzozoowskki'), { _tag: 'Unknown', key: 'brzozoowskki' })
    deepEqual(fold('Sollyr'), { _tag: 'Unknown', key: 'sollyr' })
  })
  it('is nobody where two Gracze are near', () => {
    deepEqual(fold('Mirinowicz'), { _tag: 'Unknown', key: 'mirinowicz' })
  })
  it('depends on the configured similarity', () => {
    const config = { 'normalization.narrator_near_form_score': 0.8 }
    equal(foldNarrator({ names: world.names, config }, 'Sollyr', today)._tag, 'Person')
    const exact = { 'normalization.narrator_near_form_score': 1 }
    equal(foldNarrator({ names: world.names, config: exact }, 'Brzozowskki', today)._tag, 'Unknown')
  })
})

describe('the open sessions of a narrator', () => {
  const openOf = (name: string) => {
    const { sessions, forms, sure } = openSessionsOf(world, name)
    return { titles: sessions.map(one => one.title), forms, sure }
  }
  it('are those of every form that folds to the person', () => {
    const all = { titles: ['Wieża', 'Port'], forms: ['Brzozowskki', 'Brzozowski'], sure: false }
    deepEqual(openOf('Brzozowski'), all)
    deepEqual(openOf('Brzozowskki'), all)
  })
  it('are those of the name as written where it means nobody', () => {
    deepEqual(openOf('mirinowicz'), { titles: ['Las'], forms: ['Mirinowicz'], sure: true })
    deepEqual(openOf('Brzozowski i Kyrre'), { titles: ['Most'], forms: ['Brzozowski i Kyrre'], sure: true })
    deepEqual(openOf('Kyrre'), { titles: [], forms: [], sure: true })
  })
})
