import { stemsBeforeLocativeE } from './sounds.js'
import { type AddForm, acc, dat, gen, ins, likely, loc, nom, pluralOf, rare, sure, voc } from './word-form.js'

const order = [nom, gen, dat, acc, ins, loc, voc]

const parseHalf = (half: string, toCases: (cases: number) => number): Paradigm =>
  half
    .split(' ')
    .flatMap((cell, at) =>
      cell === '-' ? [] : cell.split('/').map(form => [form, toCases(order[at] ?? 0)] as const),
    )

const parseNumeral = (line: string): ReadonlyArray<readonly [string, Paradigm]> => {
  const [base = '', genitive = '', dative = '', instrumental = ''] = line.split(' ')
  const cells = [base, genitive, dative, genitive, instrumental, genitive, base]
  const paradigm = parseHalf(cells.join(' '), pluralOf)
  return base.split('/').map(one => [one, paradigm] as const)
}

/**
 * Numbers above one: all words for the nominative and the genitive, which both head names (Trzej Królowie, Trzech
 * Króli), then the genitive, dative and instrumental. The accusative and the locative are as the genitive.
 */
const numerals = `
dwaj/dwa/dwie/dwóch dwóch/dwu dwom/dwóm/dwu dwoma/dwiema
obaj/oba/obie/obu obu obu oboma/obiema
trzej/trzy/trzech trzech trzem trzema
czterej/cztery/czterech czterech czterem czterema
dwoje dwojga dwojgu dwojgiem
troje trojga trojgu trojgiem
czworo czworga czworgu czworgiem
pięcioro pięciorga pięciorgu pięciorgiem
sześcioro sześciorga sześciorgu sześciorgiem
siedmioro siedmiorga siedmiorgu siedmiorgiem
`
/** Numbers whose oblique cases are one, and end in -oma in the instrumental too. */
const higherNumerals = `pięć/pięciu sześć/sześciu siedem/siedmiu osiem/ośmiu dziewięć/dziewięciu dziesięć/dziesięciu
  jedenaście/jedenastu dwanaście/dwunastu trzynaście/trzynastu czternaście/czternastu piętnaście/piętnastu
  szesnaście/szesnastu siedemnaście/siedemnastu osiemnaście/osiemnastu dziewiętnaście/dziewiętnastu
  dwadzieścia/dwudziestu trzydzieści/trzydziestu czterdzieści/czterdziestu pięćdziesiąt/pięćdziesięciu sto/stu
  dwieście/dwustu trzysta/trzystu kilka/kilku wiele/wielu`

const numeralLines = [
  ...numerals.trim().split('\n'),
  ...higherNumerals.split(/\s+/u).map(one => {
    const oblique = one.slice(one.indexOf('/') + 1)
    return `${one} ${oblique} ${oblique} ${oblique}/${oblique.slice(0, -1)}oma`
  }),
]
const numeralForms = numeralLines.flatMap(parseNumeral)

/** The numbers above one that a name may begin with. */
export const numeralWords: ReadonlySet<string> = new Set(numeralForms.map(([word]) => word))

/** Whether the list has the whole declension of the word, so that no paradigm of its ending is usual. */
export const addIrregular = (word: string, add: AddForm): boolean => {
  const known = whole.get(word)
  for (const [form, cases] of known ?? plurals.get(word) ?? [])
    add(form, cases, sure, word.endsWith('ę') || !form.startsWith(word.slice(0, -1)))
  return known !== undefined
}

/** The locative of words such as las and gwiazda, also as the last part of a compound. */
export const addChangedVowel = (word: string, add: AddForm): void => {
  const found = changedVowels.find(([end]) => word.endsWith(end))
  if (found === undefined) return
  const [end, form] = found
  const cases = end.endsWith('a') ? dat | loc : loc | voc
  add(word.slice(0, -end.length) + form, cases, end === word ? sure : likely, true)
}

/** What foreign spellings in -e, -y and -ie add to the Polish paradigms of those endings. */
export const addForeign = (word: string, add: AddForm): void => {
  if (word.endsWith('e') && word.length > 3) addMuteE(word, add)
  if (/[eyi]$/u.test(word)) addAdjectivalForeign(word, add)
  if (/[aeou]y$/u.test(word)) addConsonantY(word, add)
}

/** After a preposition a heading does not change: Zamek na Skale – Zamkiem na Skale. */
export const prepositions: ReadonlySet<string> = new Set(
  'na w we z ze od ode do pod nad przy za u o po ku dla bez przed między wśród obok koło'.split(' '),
)

/** Words of names that never change and belong to any case. */
export const particles: ReadonlySet<string> = new Set(
  'i oraz lub a de du da di del della von van der den la le el al ibn ben ap of the'.split(' '),
)

/**
 * Words whose forms no rule makes (POLISH.md 9): the seven cases of the singular, and below them those of the plural.
 * A dash leaves a case out, a slash separates two forms.
 */
const paradigms = `
pies psa psu psa psem psie psie
| psy psów psom psy psami psach psy
lew lwa lwu lwa lwem lwie lwie
| lwy lwów lwom lwy lwami lwach lwy
orzeł orła orłowi/orłu orła orłem orle orle
| orły orłów orłom orły orłami orłach orły
sen snu snowi sen snem śnie śnie
| sny snów snom sny snami snach sny
mech mchu mchowi mech mchem mchu mchu
| mchy mchów mchom mchy mchami mchach mchy
bez bzu bzowi bez bzem bzie bzie
| bzy bzów bzom bzy bzami bzach bzy
len lnu lnowi len lnem lnie lnie
| lny lnów lnom lny lnami lnach lny
dech tchu tchowi dech tchem tchu tchu
| - - - - - - -
szew szwu szwowi szew szwem szwie szwie
| szwy szwów szwom szwy szwami szwach szwy
kieł kła kłowi kieł kłem kle kle
| kły kłów kłom kły kłami kłach kły
owies owsa owsowi owies owsem owsie owsie
| owsy owsów owsom owsy owsami owsach owsy
ocet octu octowi ocet octem occie occie
| - - - - - - -
ojciec ojca ojcu ojca ojcem ojcu ojcze
| ojcowie ojców ojcom ojców ojcami ojcach ojcowie
brat brata bratu brata bratem bracie bracie
| bracia braci braciom braci braćmi braciach bracia
pan pana panu pana panem panu panie
| panowie panów panom panów panami panach panowie
bóg boga bogu boga bogiem bogu boże
| bogowie bogów bogom bogów bogami bogach bogowie
kot kota kotu kota kotem kocie kocie
| - - - - - - -
diabeł diabła diabłu diabła diabłem diable diable
| diabły/diabli diabłów diabłom diabły diabłami diabłach diabły
chłop chłopa chłopu chłopa chłopem chłopie chłopie
| - - - - - - -
syn syna synowi syna synem synu synu
| - - - - - - -
człowiek człowieka człowiekowi człowieka człowiekiem człowieku człowiecze
| ludzie ludzi ludziom ludzi ludźmi ludziach ludzie
dziecko dziecka dziecku dziecko dzieckiem dziecku dziecko
| dzieci dzieci dzieciom dzieci dziećmi dzieciach dzieci
rok roku rokowi rok rokiem roku roku
| lata lat latom lata latami/laty latach lata
ksiądz księdza księdzu księdza księdzem księdzu księże
| księża księży księżom księży księżmi księżach księża
książę księcia księciu księcia księciem księciu książę
| książęta książąt książętom książąt książętami książętach książęta
przyjaciel przyjaciela przyjacielowi przyjaciela przyjacielem przyjacielu przyjacielu
| przyjaciele przyjaciół przyjaciołom przyjaciół przyjaciółmi przyjaciołach przyjaciele
tydzień tygodnia tygodniowi tydzień tygodniem tygodniu tygodniu
| tygodnie tygodni tygodniom tygodnie tygodniami tygodniach tygodnie
dzień dnia dniowi dzień dniem dniu dniu
| dni/dnie dni dniom dni dniami dniach dni
oko oka oku oko okiem oku oko
| oczy oczu/oczów oczom oczy oczami/oczyma oczach oczy
ucho ucha uchu ucho uchem uchu ucho
| uszy uszu/uszów uszom uszy uszami/uszyma uszach uszy
ręka ręki ręce rękę ręką ręce/ręku ręko
| ręce rąk rękom ręce rękami/rękoma rękach ręce
pieniądz pieniądza pieniądzowi pieniądz pieniądzem pieniądzu pieniądzu
| pieniądze pieniędzy pieniądzom pieniądze pieniędzmi pieniądzach pieniądze
koń konia koniowi konia koniem koniu koniu
| konie koni koniom konie końmi koniach konie
gość gościa gościowi gościa gościem gościu gościu
| goście gości gościom gości gośćmi gościach goście
liść liścia liściowi liść liściem liściu liściu
| liście liści liściom liście liśćmi liściach liście
krew krwi krwi krew krwią krwi krwi
| - - - - - - -
brew brwi brwi brew brwią brwi brwi
| brwi brwi brwiom brwi brwiami brwiach brwi
wieś wsi wsi wieś wsią wsi wsi
| wsie/wsi wsi wsiom wsie wsiami wsiach wsie
cześć czci czci cześć czcią czci czci
| - - - - - - -
osioł osła osłowi osła osłem ośle ośle
| osły osłów osłom osły osłami osłach osły
kozioł kozła kozłowi kozła kozłem koźle koźle
| kozły kozłów kozłom kozły kozłami kozłach kozły
kocioł kotła kotłowi kocioł kotłem kotle kotle
| kotły kotłów kotłom kotły kotłami kotłach kotły
sędzia sędziego sędziemu sędziego sędzią sędzim/sędzi sędzio
| sędziowie sędziów sędziom sędziów sędziami sędziach sędziowie
hrabia hrabiego hrabiemu hrabiego hrabią hrabim/hrabi hrabio
| hrabiowie hrabiów hrabiom hrabiów hrabiami hrabiach hrabiowie
jezus jezusa jezusowi jezusa jezusem jezusie jezu
| - - - - - - -
pani pani pani panią panią pani pani
| panie pań paniom panie paniami paniach panie
mężczyzna mężczyzny mężczyźnie mężczyznę mężczyzną mężczyźnie mężczyzno
| mężczyźni mężczyzn mężczyznom mężczyzn mężczyznami mężczyznach mężczyźni
sąsiad sąsiada sąsiadowi sąsiada sąsiadem sąsiedzie sąsiedzie
| sąsiedzi sąsiadów sąsiadom sąsiadów sąsiadami sąsiadach sąsiedzi
morze morza morzu morze morzem morzu morze
| morza mórz morzom morza morzami morzach morza
pole pola polu pole polem polu pole
| pola pól polom pola polami polach pola
gwóźdź gwoździa gwoździowi gwóźdź gwoździem gwoździu gwoździu
| gwoździe gwoździ gwoździom gwoździe gwoździami gwoździach gwoździe
siostra siostry siostrze siostrę siostrą siostrze siostro
| siostry sióstr siostrom siostry siostrami siostrach siostry
`

type Paradigm = ReadonlyArray<readonly [form: string, cases: number]>

const parseLine = (line: string): readonly [string, Paradigm] => {
  const [singular = '', many = ''] = line.split(' | ')
  return [
    singular.slice(0, singular.indexOf(' ')),
    [...parseHalf(singular, cases => cases), ...parseHalf(many, pluralOf)],
  ]
}

/** The plurals, which may be headings too (Bracia), in the genitive after a number (Siedmiu Braci). */
const parsePlural = (line: string): ReadonlyArray<readonly [string, Paradigm]> => {
  const [, many = ''] = line.split(' | ')
  const [nominatives = '', genitives = ''] = many.split(' ')
  const paradigm = parseHalf(many, pluralOf)
  const words = [...nominatives.split('/'), ...genitives.split('/').filter(word => !word.endsWith('ów'))]
  return words.flatMap(word => (word === '-' ? [] : [[word, paradigm] as const]))
}

const lines = paradigms.trim().replaceAll('\n| ', ' | ').split('\n')
const whole: ReadonlyMap<string, Paradigm> = new Map([...numeralForms, ...lines.map(parseLine)])
const plurals: ReadonlyMap<string, Paradigm> = new Map(lines.flatMap(parsePlural).toReversed())

/** Locatives and datives with a changed vowel (POLISH.md 2.2): the last part of a word, and its form. */
const changedVowels: ReadonlyArray<readonly [end: string, form: string]> = [
  ['las', 'lesie'],
  ['świat', 'świecie'],
  ['kwiat', 'kwiecie'],
  ['wiatr', 'wietrze'],
  ['obiad', 'obiedzie'],
  ['jazd', 'jeździe'],
  ['miasto', 'mieście'],
  ['ciasto', 'cieście'],
  ['lato', 'lecie'],
  ['ciało', 'ciele'],
  ['gniazdo', 'gnieździe'],
  ['gwiazda', 'gwieździe'],
  ['jazda', 'jeździe'],
  ['miara', 'mierze'],
  ['wiara', 'wierze'],
  ['ofiara', 'ofierze'],
  ['anioł', 'aniele'],
  ['kościół', 'kościele'],
  ['popiół', 'popiele'],
]

/** Endings after an apostrophe, where the last written vowel is mute: Steve – Steve’a. */
const addMuteE = (word: string, add: AddForm): void => {
  add(`${word}'a`, gen | acc, likely)
  add(`${word}'owi`, dat, likely)
  add(`${word}'em`, ins, likely)
  add(`${word}'u`, loc | voc, likely)
  add(`${word}'ów`, pluralOf(gen | acc), rare)
  add(`${word}'owie`, pluralOf(nom | voc), rare)
  const stem = word.slice(0, -1)
  const [before] = stemsBeforeLocativeE(stem)
  add(before === undefined ? `${stem}u` : `${before.text}e`, loc | voc, likely, before?.isAltered === true)
  for (const [ending, cases] of [
    ['om', dat],
    ['ami', ins],
    ['ach', loc],
  ] as const)
    add(`${word}'${ending}`, pluralOf(cases), rare)
}

/** Names in -y, -e or -ie that decline as adjectives: Harry’ego, Charliego, Harrym. */
const addAdjectivalForeign = (word: string, add: AddForm): void => {
  for (const [ending, cases] of [
    ['ego', gen | acc],
    ['emu', dat],
  ] as const) {
    add(`${word}'${ending}`, cases, likely)
    if (/[ie]$/u.test(word)) add(`${word}${ending.slice(1)}`, cases, likely)
  }
  add(`${word}m`, ins | loc, likely)
}

/** A final y after a vowel is read as j: Murray – Murraya. */
const addConsonantY = (word: string, add: AddForm): void => {
  for (const apostrophe of ['', "'"]) {
    const stem = `${word}${apostrophe}`
    add(`${stem}a`, gen | acc, likely)
    add(`${stem}owi`, dat, likely)
    add(`${stem}em`, ins, likely)
    add(`${stem}u`, loc | voc, likely)
    add(`${stem}owie`, pluralOf(nom | voc), likely)
    add(`${stem}e`, pluralOf(nom | voc), rare)
    add(`${stem}ów`, pluralOf(gen | acc), likely)
    add(`${stem}om`, pluralOf(dat), likely)
    add(`${stem}ami`, pluralOf(ins), likely)
    add(`${stem}ach`, pluralOf(loc), likely)
  }
}
