import { personalPlural } from './sounds.js'
import {
  type AddForm,
  acc,
  dat,
  gen,
  ins,
  likely,
  loc,
  nom,
  pluralOf,
  type Rank,
  sure,
  voc,
} from './word-form.js'

/** The forms of a man beside his nominative. Surnames and names of places are adjectives too. */
export const addMasculineAdjective = (text: string, rank: Rank, add: AddForm): void => {
  const { stem, y, e } = stemOf(text)
  add(`${stem}${e}go`, gen | acc, rank)
  add(`${stem}${e}mu`, dat, rank)
  add(`${stem}${y}m`, ins | loc, rank)
}

export const addFeminineAdjective = (text: string, rank: Rank, add: AddForm): void => {
  const { stem, e } = stemOf(text)
  add(`${stem}a`, nom | voc, rank)
  add(`${stem}${e}j`, gen | dat | loc, rank)
  add(`${stem}ą`, acc | ins, rank)
}

/** The nominative of neuters, and of several that are no men. */
export const addNeuterAdjective = (text: string, rank: Rank, add: AddForm): void => {
  const { stem, e } = stemOf(text)
  add(`${stem}${e}`, nom | acc | voc | pluralOf(nom | acc | voc), rank)
}

/** The other forms of several. */
export const addPluralAdjective = (text: string, rank: Rank, add: AddForm): void => {
  const { stem, y } = stemOf(text)
  add(`${stem}${y}m`, pluralOf(dat), rank)
  add(`${stem}${y}ch`, pluralOf(gen | loc | acc), rank)
  add(`${stem}${y}mi`, pluralOf(ins), rank)
}

/** The nominative of several men: Kowalscy. */
export const addPersonalAdjective = (text: string, rank: Rank, add: AddForm): void => {
  const { stem } = stemOf(text)
  const personal = personalPlural(stem)
  if (personal !== null) add(personal.text, pluralOf(nom | voc), rank, /[kgrłtd]$|ch$|sz$|ż$/u.test(stem))
  if (stem.endsWith('on')) add(`${stem.slice(0, -2)}eni`, pluralOf(nom | voc), likely, true)
}

/** The instrumental and locative of places in -e: Zawiane – Zawianem. */
export const addPlaceInE = (stem: string, rank: Rank, add: AddForm): void => add(`${stem}em`, ins | loc, rank)

/** Surnames whose family is called by -owie although the sing. is adjectival: Batory – Batorowie. */
export const addFamily = (stem: string, add: AddForm): void => add(`${stem}owie`, pluralOf(nom | voc), likely)

/** Families called by a plural: Kowalscy – Kowalskich. The nominative itself is not generated. */
export const addFamilyInCy = (stem: string, add: AddForm): void => {
  add(`${stem}kich`, pluralOf(gen | loc | acc), sure, true)
  add(`${stem}kim`, pluralOf(dat), sure, true)
  add(`${stem}kimi`, pluralOf(ins), sure, true)
}

/** Whether a word in lower case is the nominative of an adjective, which does not name anything by itself. */
export const isAdjectiveLike = (word: string): boolean => {
  if (softEnding.test(word) && (softStems.has(word.replace(softEnding, '')) || /letni[ae]?$/u.test(word)))
    return true
  if (!hardEnding.test(word)) return false
  const stem = word.replace(hardEnding, '')
  const positive = stem.startsWith('nie') ? stem.slice(3) : stem
  return hardStems.has(stem) || hardStems.has(positive) || hasSuffix(stem)
}

/** Surnames of adjectival form: Morawińska, Zalewicki. */
export const isAdjectivalSurname = (word: string): boolean => /(?:sk|ck|dzk)[ia]$/u.test(word)

/** The stem of an adjective and the vowels that follow it. */
interface AdjectiveStem {
  readonly stem: string
  /** -y, or -i after k and g; empty after a soft stem, which ends in i. */
  readonly y: string
  /** -e, or -ie after k and g. */
  readonly e: string
}

const stemOf = (stem: string): AdjectiveStem => {
  if (/[kg]$/u.test(stem)) return { stem, y: 'i', e: 'ie' }
  return stem.endsWith('i') || stem.endsWith('l') || stem.endsWith('j')
    ? { stem, y: stem.endsWith('i') ? '' : 'i', e: 'e' }
    : { stem, y: 'y', e: 'e' }
}

/**
 * Stems of adjectives that no suffix shows: the short ones that names are made with, and participles. After the soft
 * ones an i is written (lisi, lisia), so they are apart: `sow` of sowi makes no adjective of sowa.
 */
const hardStems: ReadonlySet<string> = new Set(
  `biał czarn szar bur siw rud ryż płow złot srebrn czerwon zielon żółt modr sin śniad blad rumian gniad bułan
  pstr duż mał wielk nisk wysok krótk dług szerok wąsk głębok płytk grub cienk chud tłust tęg kręp smukł wątł
  cał pełn pust star młod now dawn późn wczesn wieczn wtórn pierwsz drug czwart piąt szóst siódm ósm dziewiąt
  dziesiąt setn dobr zł mił lub mądr chytr bystr cwan hard żwaw rześk rącz chyż prędk szybk śmigł gibk zwinn
  sławn jasn ciemn mroczn światł zimn chłodn ciepł mroźn śnieżn wietrzn gromn such mokr słon słodk gorzk kwaśn
  cierpk ostr tęp gładk szorstk miękk tward lekk ciężk krzyw prost równ okrągł czyst brudn ładn piękn brzydk
  cudn śliczn siln słab mocn krzepk dziarsk dzieln śmiał mężn konn piesz dzik cich głośn wściekł zajadł srog
  okrutn krwaw lut zażart zaciekł ponur smutn smętn rzewn wesoł płoch trwożn czujn senn ospał leniw gnuśn dumn
  pyszn butn próżn święt błog winn praw lew wiern szczer podł zdradn chciw skąp szczodr hojn bogat biedn ubog
  nędzn możn łaskaw ciekaw chor zdrow żyw martw umarł zmarł rann kulaw chrom ślep głuch niem łys kudłat brodat
  wąsat rogat skrzydlat zębat garbat pyzat piegat kosmat włochat nosat brzuchat nag bos goł bosk męsk czarc leśn
  poln wodn rzeczn morsk ludzk górn doln skaln ziemn gwiezdn nocn dzienn porann starann blisk dalek odległ
  wyniosł tyln spodn łączn żyzn starsz młodsz większ lepsz gorsz wyższ niższ bliższ dalsz żelazn drewnian szklan
  glinian miedzian ołowian wełnian słomian lnian lodowat złocist srebrzyst mglist ognist skalist gwiaździst
  cienist ciernist kamienist piaszczyst wieczyst ojczyst bagnist kwiecist barczyst zamaszyst przejrzyst puszyst
  falist promienist płomienist krwist uroczyst szalon uczon znan zapomnian wygnan wybran skazan przegran wezwan
  kochan ukochan złaman obłąkan opętan pożądan ukryt zakryt odkryt rozdart wydart spalon ocalon poległ zbiegł
  gęst rzadk kruch płask strom kręt obc cudz tajn widn jawn wart wartk wiotk trwał stał groźn straszn dziwn pewn
  główn ważn surow gotow tęskn zawił skor lich pijan rdzaw trzeźw rzeźw sędziw uczciw urocz ochocz otwart zgasł
  zwykł zmarzł ścigł różan pękat sękat puchat łakom znajom ruchom łatw szkock greck tkack wrog wraż boż hoż
  śwież człowiecz pajęcz zajęcz tułacz kozacz barwn bitn boczn bujn celn cenn chętn czynn dębn drobn durn dworn
  dymn godn głodn grzeczn gwarn huczn istn jędrn karn ludn luźn marn modn mętn nudn plenn płonn psotn rojn
  skoczn sporn strojn szumn świetn trafn trudn ufn wonn zbędn zbrojn zdoln zgodn zwrotn żmudn średn jedyn błędn
  strzelist plamist srokat łaciat czubat pasiat żonat wymarł śnięt czuł gnił giętk inn kobiec koślaw krągł kus
  lepk lotn mdł mściw nagł nikł obfit obł oschł okut otył plugaw pochył przykr pyskat rychł skryt smagł sprosn
  syt szczupł szczwan szczerbat sztywn szczęsn upadł upart wytrwał zabit zacięt zawzięt zakut zmienn zuchwał
  cięt zagubion utracon porzucon orl sokol wilcz krucz smocz bycz owcz mnisz`.split(/\s+/u),
)
const softStems: ReadonlySet<string> = new Set(
  `lis koz koc sow sokol gęs kac krow paw żab wron baran jastrzęb gołęb łabędz niedźwiedz jelen mys ptas ps łos
  tygrys lw żubr kun żółw wydrz trzec ostatn przedn średn bab chłop głup`.split(/\s+/u),
)

const hardEnding = /(?:[yae]|(?<=[kgl])i|(?<=[kg])ie)$/u
const softEnding = /i[ae]?$/u

/**
 * Suffixes that make adjectives, with the fewest vowels that their stems have: a short stem in -n is a noun more often
 * (wojna). Names and nouns have -ówna, -izna, -chna, -anna and, behind a vowel, -enna and -ska.
 */
const suffixes: ReadonlyArray<readonly [vowelsMin: number, end: RegExp]> = [
  [1, /(?:[bjlmnńprw]sk|dzk|ąc)$/u],
  [2, /(?:[aeiouyn]ck|(?:c|cz|dz|l|sz)[iy]w|ow|owat|[oyi]wan|niał|icz|ejsz)$/u],
  [2, /(?:(?:cz|ki|ni|rz|si)ast|(?:ci|gi|j|kl|kni|pi|zi)ęt|(?:cz|i|rz|ż)ęc)$/u],
  [2, /(?:[bdlmptwjżźśc]|(?<![iy])z|(?<!c)s|cz|r|sz|in|(?<!d)on|(?<=[ijsc])en)n$/u],
  [2, /(?:[dgks]ł|(?:c|cz|dz|rz|sz|ż|[bcmnpswz]i)on)$/u],
  [3, /(?:ast|(?<!chw)ał)$/u],
  [3, /^(?:nad?|ob|od|pod?|prze|przy|roz|wy|za).+an$/u],
  [1, /(?:.{2}[oyu]|bez)(?:brew|brod|głow|nog|ok|palc|ręk|rog|skrzydł|skór|uch|ust|włos|zęb)$/u],
]
const nouns: ReadonlyArray<RegExp> = [
  /(?:ówn|polsk|riadn|oliw|olumn|stonog|śliw|cięciw|ist|yst)$/u,
  /(?:^ok|dąbr|podk|alk|osn|poł|bud|odn)ow$/u,
  /^(?:nie|na|ob|od|po|prze|przy|roz|u|wy|z|za)mow$/u,
]

const hasSuffix = (stem: string): boolean => {
  const vowels = stem.match(/[aeouyąęó]|i(?![aeouyąęó])/gu)?.length ?? 0
  const isSuffixed = suffixes.some(([vowelsMin, end]) => vowels >= vowelsMin && end.test(stem))
  return isSuffixed && !nouns.some(one => one.test(stem))
}
