import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { allFindings } from '#src/snapshot/all-findings.js'
import { worldOf } from '#test/support/world.js'
import { looksLike, mixedWordIn } from './look-alike.js'

const cyrillic = 'Cyrillic'
const twins: ReadonlyArray<readonly [what: string, name: string, other: string]> = [
  ['Cyrillic letters', 'Сога', 'Cora'],
  ['Cyrillic letters beside a common noun', 'Kupiec Сога', 'Kupiec Cora'],
  ['Greek capitals', 'ΒΙΚ', 'Bik'],
  ['a Greek letter', 'Νina', 'Nina'],
  ['fullwidth letters', 'Ｉｓｋｒａ', 'Iskra'],
  ['mathematical letters', '𝐈𝐬𝐤𝐫𝐚', 'iskra'],
  ['a dotless i', 'ıskra', 'Iskra'],
  ['a capital with a dot', 'İskra', 'iskra'],
  ['a second dot', 'i\u0307skra', 'Iskra'],
  ['a second dot behind a mark below', 'i\u0323\u0307skra', 'i\u0323skra'],
  ['a ligature', 'ﬁlip', 'Filip'],
  ['a capital that looks like l', 'Ӏskra', 'Iskra'],
  ['a capital whose small letter looks like nothing', 'Мarek', 'marek'],
  ['a Polish letter with Cyrillic ones beside it', 'Łоś', 'Łoś'],
]
const others: ReadonlyArray<readonly [what: string, name: string, other: string]> = [
  ['one name with two apostrophes', 'D’Artagnan', "D'Artagnan"],
  ['one name with an invisible character', 'Isk\u200dra', 'Iskra'],
  ['letters that both are plain', 'Iskra', 'lskra'],
  ['a Polish letter and the plain one', 'Łoś', 'Los'],
  ['a marked letter and the plain one', 'Zoë', 'Zoe'],
  ['one name in two cases and normal forms', 'ZOË', 'zoe\u0308'],
  ['names that differ in plain letters alone', 'Zoë I', 'Zoë l'],
]

describe('names that look alike', () => {
  for (const [what, name, other] of twins)
    it(`are ${name} and ${other}: ${what}`, () => equal(looksLike(name, other), true))
  for (const [what, name, other] of others)
    it(`are not ${name} and ${other}: ${what}`, () => equal(looksLike(name, other), false))
})

describe('a word of several scripts', () => {
  const mixed: ReadonlyArray<readonly [name: string, word: string, scripts: ReadonlyArray<string>]> = [
    ['Kupiec Оrrin', 'Оrrin', [cyrillic, 'Latin']],
    ['Οrrin', 'Οrrin', ['Greek', 'Latin']],
    ['Dom-Łоś', 'Łоś', ['Latin', cyrillic]],
    ['Łоś2', 'Łоś2', ['Latin', cyrillic]],
    ['ＡБ', 'ＡБ', ['Latin', cyrillic]],
    ['Ꭺla', 'Ꭺla', ['other', 'Latin']],
    ['Анна שaלom', 'שaלom', ['Hebrew', 'Latin']],
  ]
  for (const [name, word, scripts] of mixed)
    it(`is found in ${name}`, () => deepEqual(mixedWordIn(name), { word, scripts }))

  for (const name of [
    'Zażółć gęślą jaźń',
    'Анна Kłos',
    'Анна-Maria',
    'Zoë Müller, 2. wiek',
    '𝐈𝐬𝐤𝐫𝐚',
    'Ｉskra',
    'Iskra\u0301\u0307',
    'Agent 007·X',
    '東京タワー',
    '한글漢字',
    'नमस्ते',
    '…',
  ])
    it(`is not in ${name}`, () => equal(mixedWordIn(name), null))
})

describe('findings about names in the lore', () => {
  const block = (heading: string, ...rows: ReadonlyArray<string>): string =>
    `### ${heading}\n- @typ: NPC\n${rows.map(row => `- @${row}\n`).join('')}\n`
  const findingsOf = (text: string) => {
    const world = worldOf({ '.svc/format.json': '{"format": 2}', 'encje/indeks.md': text })
    return allFindings(world).flatMap(({ kind, severity, subject, line, reason }) =>
      kind === 'NameLooksAlike' || kind === 'NameMixesScripts'
        ? [{ kind, severity, subject, line, reason }]
        : [],
    )
  }

  it('name a heading, another spelling and a generic name, each at its line, with the blocks that they look like', () => {
    const text =
      block('Cora', 'alias: Bik', 'generyczne_nazwy: Mag, Wit') +
      block('Сога') +
      block('Inny', 'info: x', 'alias: ΒΙΚ (:2020)', 'generyczne_nazwy: Ｍａｇ, Ｗｉｔ')
    const of = (subject: string, line: number, name: string, other: string) => ({
      kind: 'NameLooksAlike',
      severity: 'warning',
      subject,
      line,
      reason: `Nazwa „${name}” wygląda jak nazwa innego bloku (NPC ${other}), ale ma inne znaki.`,
    })
    deepEqual(findingsOf(text), [
      of('Сога', 6, 'Сога', 'Cora'),
      of('Inny', 12, 'ΒΙΚ', 'Cora'),
      of('Inny', 13, 'Ｍａｇ', 'Cora'),
      of('Inny', 13, 'Ｗｉｔ', 'Cora'),
    ])
  })

  it('name a word that mixes scripts, and the block is read', () => {
    const text = block('Оrrin')
    deepEqual(
      findingsOf(text).map(({ kind, subject, reason }) => [kind, subject, reason]),
      [['NameMixesScripts', 'Оrrin', 'Słowo „Оrrin” w nazwie „Оrrin” ma litery kilku alfabetów.']],
    )
    const world = worldOf({ 'encje/indeks.md': text })
    deepEqual(
      world.entities.all.map(one => one.name),
      ['Оrrin'],
    )
  })

  it('are none for a block with two names that look alike, and for homonyms of two types', () => {
    deepEqual(findingsOf(block('Cora', 'alias: Сога')), [])
    deepEqual(findingsOf(`${block('Сога')}### Сога\n- @typ: Grupa\n`), [])
  })

  it('list the first 20 of many blocks', () => {
    const many = Array.from({ length: 30 }, () => block('Cora')).join('')
    const [finding, ...rest] = findingsOf(`${many}${block('Сога')}`)
    deepEqual([finding?.reason.match(/NPC Cora/gu)?.length, rest], [20, []])
    equal(finding?.reason.includes(' i jeszcze 10'), true)
  })
})
