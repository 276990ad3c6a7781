import type { Chance } from '#src/demo/chance.js'

/** Texts that a resolver meets from careless and from hostile callers, each with the kind it is of. */
export interface HostileQuery {
  readonly kind: string
  readonly name: string
}

type Maker = (chance: Chance, names: ReadonlyArray<string>) => string

const repeat = (part: string, chars: number): string =>
  part.repeat(Math.ceil(chars / part.length)).slice(0, chars)

const longChars = 100 * 1024

const stopwords = [
  'i',
  'w',
  'z',
  'a',
  'o',
  'u',
  'na',
  'do',
  'ze',
  'we',
  'od',
  'po',
  'nad',
  'pod',
  'oraz',
  'dla',
  'przy',
]
const inherited = [
  'constructor',
  '__proto__',
  'toString',
  'hasOwnProperty',
  'valueOf',
  'prototype',
  'isPrototypeOf',
]
const endings = [
  'owi',
  'ami',
  'ach',
  'iem',
  'em',
  'om',
  'ą',
  'ę',
  'ie',
  'a',
  'u',
  'y',
  'ego',
  'emu',
  'dzie',
  'ście',
  'rze',
]
const marks = ['\u0301', '\u0328', '\u200b', '\u200f', '\u00ad', '\ufe0f', '\u202e']
const patterns = [
  '(a+)+$',
  '(.*a){20}',
  '[a-z]+@',
  '^(\\w+\\s?)*$',
  '%00',
  '${x}',
  "' OR 1=1 --",
  '../..',
  '\\u0000',
]

const letters = 'aąbcćdeęfghijklłmnńoóprsśtuwyzźż'

const mutate = (chance: Chance, name: string): string => {
  const at = chance.whole(0, name.length)
  const letter = letters[chance.whole(0, letters.length - 1)] ?? ''
  const cut = chance.truth(0.5) ? 1 : 0
  return name.slice(0, at) + (chance.truth(0.5) ? letter : '') + name.slice(at + cut)
}

const control = (chance: Chance): string =>
  String.fromCharCode(chance.pick([0, 1, 7, 8, 10, 11, 13, 27, 127, 133]))

/** Makers of short texts, which most queries are of. */
const short: Readonly<Record<string, Maker>> = {
  'a name': (chance, names) => chance.pick(names),
  'a misspelt name': (chance, names) => mutate(chance, mutate(chance, chance.pick(names))),
  'a name with an ending': (chance, names) => chance.pick(names) + chance.pick(endings),
  'words of names': (chance, names) =>
    Array.from({ length: chance.whole(2, 24) }, () => chance.pick(chance.pick(names).split(' '))).join(' '),
  'control characters': (chance, names) => [...chance.pick(names)].join(control(chance)),
  'stopwords alone': chance =>
    Array.from({ length: chance.whole(1, 12) }, () => chance.pick(stopwords)).join(' '),
  'lone surrogates': (chance, names) =>
    `${chance.pick(names)}${chance.pick(['\ud83d', '\udc00', '\ud800\ud800'])}`,
  'a key of every object': chance => chance.pick(inherited),
  'a pattern': chance => chance.pick(patterns) + chance.pick(patterns),
  'endings upon endings': chance =>
    `A${Array.from({ length: chance.whole(1, 30) }, () => chance.pick(endings)).join('')}`,
  'invisible marks': (chance, names) => [...chance.pick(names)].join(chance.pick(marks)),
  'random letters': chance =>
    Array.from({ length: chance.whole(1, 60) }, () => letters[chance.whole(0, letters.length - 1)]).join(''),
  'blanks and signs': chance =>
    Array.from({ length: chance.whole(1, 40) }, () =>
      chance.pick([' ', '\t', '-', "'", '"', '„', '(', '/', '.', '’']),
    ).join(''),
}

/** Makers of texts of 100 KB. */
const long: Readonly<Record<string, Maker>> = {
  '100 KB of one letter': chance => repeat(chance.pick(['a', 'ż', 'A', 'ś']), longChars),
  '100 KB that a pattern may be slow on': chance =>
    `${repeat(chance.pick(['a', 'a ', 'A-', 'aA', '" ', '(a', 'ie']), longChars)}!`,
  '100 KB of blanks': chance => repeat(chance.pick([' ', '\u00a0', ' \t', '\n']), longChars),
  '100 KB of marks': chance => `e${repeat(chance.pick(marks), longChars)}`,
  '100 KB of words': (chance, names) => repeat(`${chance.pick(names)} `, longChars),
  '100 KB of endings': chance => repeat(chance.pick(endings), longChars),
  '100 KB of stopwords': () => repeat(`${stopwords.join(' ')} `, longChars),
  '100 KB of emoji': () => repeat('👩‍🚀', longChars),
}

const longShare = 0.01

/** Draws a query: one of a hundred has 100 KB. `names` are names of the world. */
export const drawQuery = (chance: Chance, names: ReadonlyArray<string>): HostileQuery => {
  const [kind, make] = chance.pick(Object.entries(chance.truth(longShare) ? long : short))
  return { kind, name: make(chance, names) }
}

/** Every kind once. */
export const queryOfEachKind = (chance: Chance, names: ReadonlyArray<string>): ReadonlyArray<HostileQuery> =>
  Object.entries({ ...short, ...long }).map(([kind, make]) => ({ kind, name: make(chance, names) }))
