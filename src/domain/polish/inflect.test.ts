import { deepEqual, equal, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { runsOf } from '#test/support/runs.js'
import { inflectWord } from './inflect.js'
import { foldDiacritics, hashFolded } from './sounds.js'
import { caseNames } from './word-form.js'

/** The paradigm of POLISH.md 3 to 6: genitive, dative, accusative, instrumental, locative, vocative. */
const paradigms = `
boran borana boranowi borana boranem boranie boranie
haldred haldreda haldredowi haldreda haldredem haldredzie haldredzie
velmirik velmirika velmirikowi velmirika velmirikiem velmiriku velmiriku
gordoń gordonia gordoniowi gordonia gordoniem gordoniu gordoniu
sewil sewila sewilowi sewila sewilem sewilu sewilu
tomrasz tomrasza tomraszowi tomrasza tomraszem tomraszu tomraszu
torek torka torkowi torka torkiem torku torku
hradeł hradła hradłowi hradła hradłem hradle hradle
jeleniec jeleńca jeleńcowi jeleńca jeleńcem jeleńcu jeleńcu
vareno varena varenowi varena varenem varenie vareno
jarema jaremy jaremie jaremę jaremą jaremie jaremo
tarcy tarcego tarcemu tarcego tarcym tarcym tarcy
wasyli wasylego wasylemu wasylego wasylim wasylim wasyli
morante morantego morantemu morantego morantem morantem morante
lew lwa lwu lwa lwem lwie lwie
czarnogród czarnogrodu czarnogrodowi czarnogród czarnogrodem czarnogrodzie czarnogrodzie
zimińsk zimińska zimińskowi zimińsk zimińskiem zimińsku zimińsku
grzybogów grzybogowa grzybogowowi grzybogów grzybogowem grzybogowie grzybogowie
ilena ileny ilenie ilenę ileną ilenie ileno
elmira elmiry elmirze elmirę elmirą elmirze elmiro
dalmorka dalmorki dalmorce dalmorkę dalmorką dalmorce dalmorko
soliga soligi solidze soligę soligą solidze soligo
walicha walichy walisze walichę walichą walisze walicho
dorieha doriehy dorieże doriehę doriehą dorieże dorieho
zaja zai zai zaję zają zai zajo
velia velii velii velię velią velii velio
rusia rusi rusi rusię rusią rusi rusiu
althea althei althei altheę altheą althei altheo
korsza korszy korszy korszę korszą korszy korszo
mrokini mrokini mrokini mrokinię mrokinią mrokini mrokini
gorlań gorlani gorlani gorlań gorlanią gorlani gorlani
czarnołódź czarnołodzi czarnołodzi czarnołódź czarnołodzią czarnołodzi czarnołodzi
chorągiew chorągwi chorągwi chorągiew chorągwią chorągwi chorągwi
pochmurna pochmurnej pochmurnej pochmurną pochmurną pochmurnej pochmurna
wilkowo wilkowa wilkowu wilkowo wilkowem wilkowie wilkowo
stolezno stolezna stoleznu stolezno stoleznem stoleźnie stolezno
czarnolesie czarnolesia czarnolesiu czarnolesie czarnolesiem czarnolesiu czarnolesie
zwierzę zwierzęcia zwierzęciu zwierzę zwierzęciem zwierzęciu zwierzę
wilczyce wilczyc wilczycom wilczyce wilczycami wilczycach wilczyce
dębianki dębianek dębiankom dębianki dębiankami dębiankach dębianki
doły dołów dołom doły dołami dołach doły
morawiński morawińskiego morawińskiemu morawińskiego morawińskim morawińskim morawiński
wędraszko wędraszki wędraszce wędraszkę wędraszką wędraszce wędraszko
dębiłło dębiłły dębille dębiłłę dębiłłą dębille dębiłło
wolniakówna wolniakówny wolniakównie wolniakównę wolniakówną wolniakównie wolniakówno
`
  .trim()
  .split('\n')
  .map(line => line.split(' '))

const formsOf = (word: string): ReadonlySet<string> => new Set(inflectWord(word).map(({ form }) => form))

const letters = Array.from('aąbcćdeęfghijklłmnńoóprsśtuwyzźżvx')
const anyWord = fc
  .array(fc.constantFrom(...letters), { minLength: 2, maxLength: 14 })
  .map(all => all.join(''))

describe('the forms of a word', () => {
  for (const [word = '', ...forms] of paradigms)
    it(`decline ${word}`, () =>
      deepEqual(
        forms.filter(form => !formsOf(word).has(form)),
        [],
      ))

  it('have their cases, and say whether the stem changes', () => {
    const find = (word: string, form: string) => inflectWord(word).find(one => one.form === form)
    deepEqual(caseNames(find('boran', 'boranem')?.surestCases ?? 0), ['sg.ins'])
    deepEqual(caseNames(find('elmira', 'elmirze')?.surestCases ?? 0), ['sg.dat', 'sg.loc'])
    deepEqual(caseNames(find('zalewicki', 'zalewickich')?.surestCases ?? 0), ['pl.gen', 'pl.acc', 'pl.loc'])
    deepEqual(
      (['elmirze', 'ileny'] as const).map((form, at) => find(['elmira', 'ilena'][at] ?? '', form)?.isAltered),
      [true, false],
    )
    equal(find('torek', 'torka')?.isAltered, true)
  })

  it('are no derived words: adjectives, places, diminutives, professions', () => {
    for (const [word, others] of [
      ['boran', 'boranowski borański boranówka'],
      ['haldred', 'haldredowo haldredów-wielki'],
      ['elmira', 'elmirka elmirowy'],
      ['kaldor', 'kaldorski kaldorczyk'],
      ['brodziło', 'brodziłów brodziłowie'],
    ] as const)
      for (const other of others.split(' ')) ok(!formsOf(word).has(other), `${other} of ${word}`)
  })

  it('are few, each once and with a case, whatever the word', () => {
    fc.assert(
      fc.property(anyWord, word => {
        const forms = inflectWord(word)
        equal(new Set(forms.map(({ form }) => form)).size, forms.length)
        ok(forms.length <= 120, `${forms.length}`)
        ok(forms.every(({ form, cases, surestCases }) => form !== '' && cases !== 0 && surestCases !== 0))
        ok(forms.some(({ form }) => form === word))
      }),
      { numRuns: runsOf(2000) },
    )
  })

  it('are none for what is no word', () => {
    for (const text of ['', 'a', 'r2d2', 'x'.repeat(41), 'a b', '…', '\u{d800}'])
      deepEqual(inflectWord(text), [])
  })
})

describe('diacritics', () => {
  it('fold to plain letters, in the text as in its hash', () => {
    equal(foldDiacritics('zażółć gęślą jaźń'), 'zazolc gesla jazn')
    equal(hashFolded('żółw'), hashFolded('zolw'))
  })
})
