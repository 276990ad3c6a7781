import { foldLetters } from './words.js'

const words = (text: string): ReadonlyArray<string> => text.trim().split(/\s+/)

/**
 * Endings of inflected words, POLISH.md 3 to 7 and the tails of `polish-rules.tsv`: nouns, adjectives with
 * their degrees, verbs with their participles.
 */
const endings: ReadonlySet<string> = new Set(
  words(`
  a ą e ę i o u y ie ia ią ię io iu ach ami om em ego emu ej ich imi im ych ymi ym
  iem iach iami iom
  ejszy ejsza ejsze ejszą ejszego ejszej ejszemu ejszych ejszym ejszymi ejsi
  ać asz ają aj ajcie ajmy ając ający ająca ające ającą ającego ającej ającemu ających ającym ającymi
  ał ała ało ali ały ałem ałam ałeś ałaś aliśmy ałyśmy aliście ałyście ałby ałaby aliby ałyby awszy
  ić isz ił iła iło ili iły iłem iłam iłeś iłaś iliśmy iłyśmy iliście iłyście iłby iłaby iliby iłyby iwszy
  yć ysz ył yła yło yli yły yłem yłam yłeś yłaś yliśmy yłyśmy yliście yłyście yłby yłaby yliby yłyby ywszy
  eć ieć esz eją ejąc iał iała iało ieli iały iałem iałam iałeś iałaś ieliśmy iałyśmy iałby iałaby ieliby iałyby ieje
  eli elibyśmy
  ąć ął ęła ęło ęli ęły ąłem ęłam ęliśmy ąwszy
  uję ujesz uje ują uj ujcie ujmy ując ujący ująca ujące ującą ującego ującej ujących ującym ującymi
  `),
)
const endingMax = Math.max(...[...endings].map(ending => ending.length))
const vowels = 'aąeęioóuy'
const stemMin = 2

/** The word without its longest ending; what is left has a vowel or at least three letters. */
const cutEnding = (word: string): string => {
  for (let length = Math.min(endingMax, word.length - stemMin); length > 0; length -= 1) {
    if (!endings.has(word.slice(-length))) continue
    const ending = word.slice(-length)
    // The `i` of an ending softens the consonant before it; `harden` removes both.
    const stem = word.slice(0, -length) + (ending.startsWith('i') && ending !== 'ich' ? 'i' : '')
    if (stem.length > 2 || Array.from(stem).some(letter => vowels.includes(letter))) return stem
  }
  return word
}

/** Softened consonants at the end of a stem and the hard ones that they come from (POLISH.md 2.1). */
const softened: ReadonlyArray<readonly [string, string]> = [
  ['ści', 'st'],
  ['ść', 'st'],
  ['ździ', 'zd'],
  ['źdź', 'zd'],
  ['dzi', 'd'],
  ['dź', 'd'],
  ['ci', 't'],
  ['ć', 't'],
  ['rz', 'r'],
  ['cz', 'k'],
  ['c', 'k'],
  ['dz', 'g'],
  ['sz', 's'],
  ['ch', 's'],
  ['ni', 'n'],
  ['ń', 'n'],
  ['si', 's'],
  ['ś', 's'],
  ['zi', 'z'],
  ['ź', 'z'],
  ['ł', 'l'],
  ['ji', ''],
  ['ii', ''],
  ['j', ''],
  ['i', ''],
]

const harden = (stem: string): string => {
  for (const [soft, hard] of softened)
    if (stem.endsWith(soft) && stem.length > soft.length) return stem.slice(0, -soft.length) + hard
  return stem
}

/** Drops the movable `e` of `zamek`, `kupiec`, `okien` (POLISH.md 2.2), also where the word keeps it. */
const dropMovable = (stem: string): string =>
  stem.length < 4
    ? stem
    : stem.replace(/(?<=[^aąeęioóuy])i?e(?=[^aąeęioóuy]$)/u, '').replace(/rz(?=[^aąeęioóuyz]$)/u, 'r')

/** `-ów` of a genitive plural and `-owi` of a dative leave what `-owa`, `-owy` of one adjective leave. */
const cutOw = (stem: string): string => (/.{3}[oó]wi?$/u.test(stem) ? stem.replace(/[oó]wi?$/u, '') : stem)

/** `Erathianin` is `Erathian-` in the plural. */
const cutIn = (stem: string): string => (stem.endsWith('anin') ? stem.slice(0, -2) : stem)

const wordCharsMax = 64

const reduce = (word: string): string => {
  const base = word.split(/['’]/u, 1)[0] ?? ''
  if (base.length > wordCharsMax) return foldLetters(base)
  const irregular = irregularForms.get(base)
  if (irregular !== undefined) return irregular
  if (base.length < 4 || /\d/u.test(base)) return foldLetters(base)
  return foldLetters(dropMovable(cutIn(harden(cutOw(cutEnding(base))))))
}

/** Keys of words that were reduced lately: a language has few words that are frequent. */
const known = new Map<string, string>()
const knownMax = 50_000

/**
 * The key that the forms of a word share: without its ending, with the consonants and vowels that alternate
 * made equal, without diacritics. It is no word of the language. `word` is NFC and lower case. Nearly always two
 * forms of one noun or adjective have one key, and two words have two.
 */
export const reduceWord = (word: string): string => {
  const before = known.get(word)
  if (before !== undefined) return before
  const key = reduce(word)
  if (known.size >= knownMax) known.clear()
  if (word.length <= wordCharsMax) known.set(word, key)
  return key
}

/** The first letters that words with a key may have, where the key begins with another one: `ludzie`, `człowiek`. */
const irregularFirsts = new Map<string, Set<string>>()

const keys = new Map<string, string>()

/** The keys of the forms: the first word of the line without diacritics. Forms without diacritics count too. */
export const irregularForms: ReadonlyMap<string, string> = keys

/** The letters, in lower case and without diacritics, that the words with these keys begin with. */
export const firstLettersOf = (keys: Iterable<string>): ReadonlySet<string> => {
  const firsts = new Set<string>()
  for (const key of keys) {
    firsts.add(key.charAt(0))
    for (const first of irregularFirsts.get(key) ?? []) firsts.add(first)
  }
  return firsts
}

/** The closed list of POLISH.md 9, and the words of 2.2 whose stem vowel alternates: a line is one word. */
const lists = `
człowiek człowieka człowiekowi człowiekiem człowieku człowiecze ludzie ludzi ludziom ludźmi ludziach
dziecko dziecka dziecku dzieckiem dzieci dzieciom dziećmi dzieciach
brat brata bratu bratem bracie bracia braci braciom braćmi braciach
ksiądz księdza księdzu księdzem księże księża księży księżom księżmi księżach
książę księcia księciu księciem książęta książąt książętom książętami książętach
przyjaciel przyjaciela przyjacielowi przyjacielem przyjacielu przyjaciele przyjaciół przyjaciołom przyjaciółmi
tydzień tygodnia tygodniowi tygodniem tygodniu tygodnie tygodni tygodniom tygodniami tygodniach
dzień dnia dniowi dniem dniu dnie dni dniom dniami dniach
oko oka oku okiem oczy oczu oczom oczami oczach
ucho ucha uchu uchem uszy uszu uszom uszami uszach
ręka ręki ręce rękę ręką ręko rąk rękom rękami rękoma rękach
pieniądz pieniądza pieniądze pieniędzy pieniądzom pieniędzom pieniędzmi pieniądzach
koń konia koniowi koniem koniu konie koni koniom końmi koniach
gość gościa gościowi gościem gościu goście gości gościom gośćmi gościach
liść liścia liściowi liściem liściu liście liści liściom liśćmi liściach
krew krwi krwią krwie
brew brwi brwią brwiami brwiach brwiom
wieś wsi wsią wsie wsiom wsiami wsiach
pies psa psu psem psie psy psów psom psami psach
lew lwa lwu lwem lwie lwy lwów lwom lwami lwach
sen snu snowi snem śnie sny snów snom snami snach
mech mchu mchem mchy mchów
bez bzu bzem bzy bzów
len lnu lnem lny
dech tchu tchem
cześć czci czcią
szew szwu szwem szwy szwów
kieł kła kłem kle kły kłów kłom kłami kłach
osioł osła osłu osłem ośle osły osłów osłom osłami osłach
kozioł kozła kozłowi kozłem koźle kozły kozłów kozłom kozłami kozłach
kocioł kotła kotłowi kotłem kotle kotły kotłów kotłom kotłami kotłach
anioł anioła aniołowi aniołem aniele anioły aniołów aniołom aniołami aniołach
kościół kościoła kościołowi kościołem kościele kościoły kościołów kościołom kościołami kościołach
popiół popiołu popiołem popiele popioły popiołów popiołami popiołach
las lasu lasowi lasem lesie lasy lasów lasom lasami lasach
świat świata światu światem świecie światy światów światom światami światach
kwiat kwiatu kwiatowi kwiatem kwiecie kwiaty kwiatów kwiatom kwiatami kwiatach
wiatr wiatru wiatrowi wiatrem wietrze wiatry wiatrów wiatrom wiatrami wiatrach
lato lata latu latem lecie lat latom latami latach
ciasto ciasta ciastu ciastem cieście ciast ciastom ciastami ciastach
ciało ciała ciału ciałem ciele ciał ciałom ciałami ciałach
gniazdo gniazda gniazdu gniazdem gnieździe gniazd gniazdom gniazdami gniazdach
gwiazda gwiazdy gwieździe gwiazdę gwiazdą gwiazdo gwiazd gwiazdom gwiazdami gwiazdach
miara miary mierze miarę miarą miar miarom miarami miarach
wiara wiary wierze wiarę wiarą wiar wiarom wiarami wiarach
ofiara ofiary ofierze ofiarę ofiarą ofiar ofiarom ofiarami ofiarach
miasto miasta miastu miastem mieście miast miastom miastami miastach
jazda jazdy jeździe jazdę jazdą jazd
obiad obiadu obiadowi obiadem obiedzie obiady obiadów obiadom obiadami obiadach
sąsiad sąsiada sąsiadowi sąsiadem sąsiedzie sąsiedzi sąsiadów sąsiadom sąsiadami sąsiadach
święto święta świętu świętem święcie świąt świętom świętami świętach
zwierzę zwierzęcia zwierzęciu zwierzęciem zwierzęta zwierząt zwierzętom zwierzętami zwierzętach
dziewczę dziewczęcia dziewczęciu dziewczęciem dziewczęta dziewcząt dziewczętom dziewczętami dziewczętach
imię imienia imieniu imieniem imiona imion imionom imionami imionach
ramię ramienia ramieniu ramieniem ramiona ramion ramionom ramionami ramionach
plemię plemienia plemieniu plemieniem plemiona plemion plemionom plemionami plemionach
księga księgi księdze księgę księgą ksiąg księgom księgami księgach
ojciec ojca ojcu ojcem ojcze ojcowie ojców ojcom ojcami ojcach
dąb dębu dębowi dębem dębie dęby dębów dębom dębami dębach
ząb zęba zębowi zębem zębie zęby zębów zębom zębami zębach
mąż męża mężowi mężem mężu mężowie mężów mężom mężami mężach
sędzia sędziego sędziemu sędzim sędzią sędziowie sędziów sędziom sędziami sędziach
hrabia hrabiego hrabiemu hrabią hrabio hrabiowie hrabiów hrabiom hrabiami hrabiach
bóg boga bogu bogiem boże bogowie bogów bogom bogami bogach
zły zła złe złego złej złemu złą złych złym złymi źli
`
for (const line of lists.trim().split('\n')) {
  const forms = line.split(' ')
  const key = foldLetters(forms[0] ?? '')
  for (const form of forms) keys.set(form, key)
  for (const form of forms) if (!keys.has(foldLetters(form))) keys.set(foldLetters(form), key)
}
for (const [form, key] of irregularForms) {
  const firsts = irregularFirsts.get(key) ?? new Set()
  irregularFirsts.set(key, firsts.add(foldLetters(form).charAt(0)))
}
