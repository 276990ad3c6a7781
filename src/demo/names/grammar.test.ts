import assert from 'node:assert/strict'
import {
  adjective,
  appendTail,
  type Forms,
  feminine,
  feminineConsonant,
  type Gender,
  grammarCases,
  joinParadigms,
  masculine,
  masculineInA,
  neuter,
  past,
  placeAfter,
  placeBefore,
  plural,
  withW,
  withZ,
} from './grammar.js'

const line = (of: Forms): string => grammarCases.map(at => of[at]).join(' ')

describe('declension of invented names', () => {
  for (const [forms, expected] of [
    [masculine('Radowid', 'person'), 'Radowid Radowida Radowidowi Radowida Radowidem Radowidzie Radowidzie'],
    [
      masculine('Salbemir', 'person'),
      'Salbemir Salbemira Salbemirowi Salbemira Salbemirem Salbemirze Salbemirze',
    ],
    [
      masculine('Tombomił', 'person'),
      'Tombomił Tombomiła Tombomiłowi Tombomiła Tombomiłem Tombomile Tombomile',
    ],
    [
      masculine('Lorbegost', 'person'),
      'Lorbegost Lorbegosta Lorbegostowi Lorbegosta Lorbegostem Lorbegoście Lorbegoście',
    ],
    [
      masculine('Wolbaryk', 'person'),
      'Wolbaryk Wolbaryka Wolbarykowi Wolbaryka Wolbarykiem Wolbaryku Wolbaryku',
    ],
    [
      masculine('Gardekosz', 'person'),
      'Gardekosz Gardekosza Gardekoszowi Gardekosza Gardekoszem Gardekoszu Gardekoszu',
    ],
    [masculine('kupiec', 'person'), 'kupiec kupca kupcowi kupca kupcem kupcu kupcze'],
    [
      masculine('Niedźwiedź', 'person'),
      'Niedźwiedź Niedźwiedzia Niedźwiedziowi Niedźwiedzia Niedźwiedziem Niedźwiedziu Niedźwiedziu',
    ],
    [masculine('Zaułek', 'thing'), 'Zaułek Zaułka Zaułkowi Zaułek Zaułkiem Zaułku Zaułku'],
    [
      masculine('Kaldogród', 'thing', true),
      'Kaldogród Kaldogrodu Kaldogrodowi Kaldogród Kaldogrodem Kaldogrodzie Kaldogrodzie',
    ],
    [masculine('Orwanów', 'thing'), 'Orwanów Orwanowa Orwanowowi Orwanów Orwanowem Orwanowie Orwanowie'],
    [masculine('Róg', 'thing', true), 'Róg Rogu Rogowi Róg Rogiem Rogu Rogu'],
    [masculineInA('poborca'), 'poborca poborcy poborcy poborcę poborcą poborcy poborco'],
    [feminine('Jarbudora'), 'Jarbudora Jarbudory Jarbudorze Jarbudorę Jarbudorą Jarbudorze Jarbudoro'],
    [
      feminine('strażniczka'),
      'strażniczka strażniczki strażniczce strażniczkę strażniczką strażniczce strażniczko',
    ],
    [feminine('Księga'), 'Księga Księgi Księdze Księgę Księgą Księdze Księgo'],
    [feminine('Tarcza'), 'Tarcza Tarczy Tarczy Tarczę Tarczą Tarczy Tarczo'],
    [feminine('Harnonia'), 'Harnonia Harnonii Harnonii Harnonię Harnonią Harnonii Harnonio'],
    [feminine('Latarnia', true), 'Latarnia Latarni Latarni Latarnię Latarnią Latarni Latarnio'],
    [feminineConsonant('Przystań'), 'Przystań Przystani Przystani Przystań Przystanią Przystani Przystani'],
    [neuter('Bractwo'), 'Bractwo Bractwa Bractwu Bractwo Bractwem Bractwie Bractwo'],
    [neuter('Oko'), 'Oko Oka Oku Oko Okiem Oku Oko'],
    [
      neuter('Przedmieście'),
      'Przedmieście Przedmieścia Przedmieściu Przedmieście Przedmieściem Przedmieściu Przedmieście',
    ],
    [plural('Ogrody', 'Ogrodów'), 'Ogrody Ogrodów Ogrodom Ogrody Ogrodami Ogrodach Ogrody'],
  ] as const)
    it(`declines ${forms.forms.nom}`, () => assert.equal(line(forms.forms), expected))

  for (const [word, gender, expected] of [
    ['wielki', 'person', 'wielki wielkiego wielkiemu wielkiego wielkim wielkim wielki'],
    ['wielki', 'feminine', 'wielka wielkiej wielkiej wielką wielką wielkiej wielka'],
    ['ostatni', 'neuter', 'ostatnie ostatniego ostatniemu ostatnie ostatnim ostatnim ostatnie'],
    ['ostatni', 'feminine', 'ostatnia ostatniej ostatniej ostatnią ostatnią ostatniej ostatnia'],
    ['solny', 'thing', 'solny solnego solnemu solny solnym solnym solny'],
    ['dziki', 'plural', 'dzikie dzikich dzikim dzikie dzikimi dzikich dzikie'],
  ] as const)
    it(`agrees ${word} with ${gender}`, () => assert.equal(line(adjective(word, gender)), expected))

  it('inflects the core of a heading and leaves its tail', () => {
    const tower = appendTail(feminine('Wieża'), 'Trzech Mostów')
    assert.equal(tower.forms.loc, 'Wieży Trzech Mostów')
    assert.equal(placeAfter(masculine('Targ', 'thing', true), 'solny').forms.ins, 'Targiem Solnym')
    assert.equal(placeBefore('czarny', feminine('Brama')).forms.acc, 'Czarną Bramę')
    const person = joinParadigms(masculine('Radowid', 'person'), masculine('Skotarnek', 'person'))
    assert.equal(person.forms.ins, 'Radowidem Skotarnkiem')
  })

  it('puts an e between consonants that cannot stand together', () => {
    assert.deepEqual(['Wrzosowie', 'Wieży', 'Florze'].map(withW), ['we Wrzosowie', 'w Wieży', 'we Florze'])
    assert.deepEqual(['Starym', 'Szarą', 'Zbroi', 'Siwym', 'Wschodu'].map(withZ), [
      'ze Starym',
      'z Szarą',
      'ze Zbroi',
      'z Siwym',
      'ze Wschodu',
    ])
  })

  it('makes the past tense agree', () => {
    const genders: ReadonlyArray<Gender> = ['person', 'feminine', 'neuter', 'plural']
    const all = (verb: string): string => genders.map(gender => past(verb, gender)).join(' ')
    assert.equal(all('wszedł'), 'wszedł weszła weszło weszły')
    assert.equal(all('wyszedł'), 'wyszedł wyszła wyszło wyszły')
    assert.equal(all('zaczął'), 'zaczął zaczęła zaczęło zaczęły')
    assert.equal(all('przyniósł'), 'przyniósł przyniosła przyniosło przyniosły')
    assert.equal(all('mógł'), 'mógł mogła mogło mogły')
    assert.equal(all('odparł'), 'odparł odparła odparło odparły')
  })
})
