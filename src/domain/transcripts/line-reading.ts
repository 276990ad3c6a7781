import type { LineKind } from './transcript.js'

/** What a format reads out of one line. */
export interface Reading {
  readonly kind: Exclude<LineKind, 'unread'>
  /** Days since 1970 of a line that states its date. */
  readonly date: number | null
  /** `HH:MM` or `HH:MM:SS` of 24 hours. */
  readonly time: string | null
  readonly channel: string | null
  /** Null where there is none, and where `isLed`. */
  readonly speaker: string | null
  readonly text: string
  /** The text of an emote begins with its speaker, whose last word nothing marks. */
  readonly isLed?: true
  /** The place where the line was said, where each line states it. */
  readonly place?: string
}

/** A range of bytes that is one line. What is read of it is `from` to `to`; the rest is white space or structure. */
export interface Piece {
  readonly from: number
  readonly to: number
  /** Where the next one begins. */
  readonly end: number
}

/** A row of the table of formats. */
export interface TranscriptFormat {
  readonly id: string
  /** Whether the first characters of a file show that it is a document of this format as a whole. */
  readonly isDocument?: (opening: string) => boolean
  /** Cuts a document into lines; without it a line ends where the text has a line end. */
  readonly cut?: (bytes: Buffer) => ReadonlyArray<Piece> | null
  /** Reads a line; null where the line is not of this format. `channel` is that of the whole document. */
  readonly read: (line: string, channel: string | null) => Reading | null
  /** The channel that a document is of. */
  readonly channelOf?: (opening: string) => string | null
}

/** What a line states before it says something. */
export interface Head {
  readonly date: number | null
  readonly time: string | null
  /** What follows. */
  readonly rest: string
}

/** The head of a line; without a time where it begins with none. A time elsewhere in the line is part of the text. */
export const readHead = (line: string): Head => {
  const [dated, bracket = '', date] = datedHead.exec(line) ?? []
  const clock = dated === undefined ? line : `${bracket}${line.slice(dated.length)}`
  const found = bracketedHead.exec(clock) ?? bareHead.exec(clock)
  if (found === null) return { date: null, time: null, rest: line }
  const [whole, hours = '', minutes = '', seconds, half] = found
  const time = clockOf(hours, minutes, seconds, half)
  const day = date === undefined ? null : readDate(date, half !== undefined)
  if (time === null || (date !== undefined && day === null)) return { date: null, time: null, rest: line }
  return { date: day, time, rest: clock.slice(whole.length).trimStart() }
}

/** A date of digits as days since 1970: year first, or day first; month first where the time has AM or PM. */
export const readDate = (text: string, isAmerican: boolean): number | null => {
  const [first = '', second = '', third = ''] = text.split(/[-./]/u)
  const month = monthNumber(second)
  if (first.length === 4) return dayNumber(Number(first), month, Number(third))
  const year = third.length === 2 ? 2000 + Number(third) : Number(third)
  if (text.includes('/') && (isAmerican || month > 12)) return dayNumber(year, Number(first), month)
  return dayNumber(year, month, Number(first))
}

/** The time of a clock as `HH:MM` or `HH:MM:SS` of 24 hours; null for one that no clock shows. */
export const clockOf = (
  hours: string,
  minutes: string,
  seconds: string | undefined,
  half: string | undefined,
): string | null => {
  const hour = Number(hours)
  if (Number(minutes) > 59 || Number(seconds ?? 0) > 59) return null
  if (half === undefined ? hour > 23 : hour < 1 || hour > 12) return null
  const whole = half === undefined ? hour : (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
  return [String(whole).padStart(2, '0'), minutes, ...(seconds === undefined ? [] : [seconds])].join(':')
}

/** The heading of a place, from `=== Karczma ===`; null for any other line. */
export const readPlace = (line: string): string | null => {
  const text = line.trim()
  if (!text.startsWith('===') || !text.endsWith('===')) return null
  let [from, to] = [0, text.length]
  while (text[from] === '=') from += 1
  while (to > from && text[to - 1] === '=') to -= 1
  const place = text.slice(from, to).trim()
  return place === '' || place.length > placeCharsMax ? null : place
}

/** Speaker and text of `Mówca: tekst`; null where what stands before the first colon is no name. */
export const splitSpeaker = (
  line: string,
  isStrict: boolean,
): { readonly speaker: string; readonly text: string } | null => {
  const colon = line.slice(0, nameCharsMax + asideCharsMax).indexOf(':')
  if (colon < 1) return null
  const after = line.slice(colon + 1, colon + 2)
  if (after !== '' && !/\s/u.test(after)) return null
  const before = line.slice(0, colon)
  const aside = before.endsWith(')') ? before.indexOf(' (') : -1
  const arrow = before.search(/->|→|»/u)
  const speaker = before.slice(0, aside > 0 ? aside : arrow > 0 ? arrow : undefined)
  if (!isName(arrow > 0 ? speaker.trimEnd() : speaker, isStrict)) return null
  const text = line.slice(colon + 1).trim()
  return { speaker: speaker.trimEnd(), text: aside > 0 ? `${before.slice(aside + 1)} ${text}`.trim() : text }
}

/**
 * Whether a text is what speakers are called. A sentence is none: it has more words in lower case, or ends with a verb
 * of saying. `isStrict`: nothing else tells that the line was said, so a word in lower case is no name.
 */
export const isName = (text: string, isStrict: boolean): boolean => {
  if (text === '' || text !== text.trim() || text.length > nameCharsMax || noName.test(text)) return false
  const words = text.split(/\s/u)
  const [first = ''] = words
  const last = words.at(-1) ?? ''
  if (words.length > nameWordsMax || words.includes('') || !/[\p{L}\p{N}]/u.test(first)) return false
  if ((last.endsWith('.') && last.length > 4) || sayings.has(last.toLowerCase())) return false
  if (words.length === 1) return !notices.has(first.toLowerCase()) && !(isStrict && isLower(first))
  const common = words.filter(word => isLower(word) && !particles.has(word))
  return !isLower(first) && common.length <= 1
}

/** An emote: `*kiwa głową*`, `_kiwa głową_`, `/me kiwa głową`, or `* Orrin kiwa głową`, which its speaker leads. */
export const readEmote = (text: string): { readonly text: string; readonly isLed?: true } | null => {
  if (text.startsWith('/me ')) return { text: text.slice(4).trim() }
  const sign = text[0]
  if (sign === '*' && text.startsWith('* ') && !text.endsWith('*')) {
    const led = text.slice(2).trim()
    return led === '' ? null : { text: led, isLed: true }
  }
  if ((sign !== '*' && sign !== '_') || text.length < 3 || !text.endsWith(sign) || text[1] === sign)
    return null
  const inner = text.slice(1, -1)
  return inner.includes(sign) || inner.trim() === '' ? null : { text: inner.trim() }
}

/** Whether a text reports that somebody joined, left, was renamed, or that the log was opened or closed. */
export const isNotice = (text: string): boolean => {
  if (noticeStarts.some(one => one.test(text))) return true
  const words = text.slice(0, noticeCharsMax).split(' ', nameWordsMax + 4)
  if (text.length > noticeCharsMax || words.some(word => word.endsWith(':'))) return false
  return words.slice(1, nameWordsMax + 1).some((word, at) => {
    const next = words[at + 2] ?? ''
    return (
      comings.has(word) ||
      (word === 'has' && englishComings.has(next)) ||
      (word === 'wchodzi' && next === 'do')
    )
  })
}

/** A text without what only colours or directs it: codes of mIRC and terminals, control characters, invisible marks. */
export const dropCodes = (text: string): string =>
  hasCodes.test(text)
    ? text
        .replace(/\u001b\[[\d;]{0,20}m/gu, '')
        .replace(/\u0003(?:\d{1,2}(?:,\d{1,2})?)?/gu, '')
        .replace(/\u0004(?:[\da-f]{6}(?:,[\da-f]{6})?)?/giu, '')
        .replace(
          /[\u0000-\u0008\u000b-\u001f\u007f\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/gu,
          '',
        )
    : text

/** The first roll of dice in a text as written, with its result: `2k6+3 = 11`. */
export const findDice = (text: string): string | null => dice.exec(text)?.[0] ?? null

const nameCharsMax = 40
const asideCharsMax = 40
const nameWordsMax = 5
const placeCharsMax = 200
const noticeCharsMax = 200

/** `[20:15]`, `[20:15:30.5]`, `(8:15 PM)`; what follows a date is in `datedHead`. */
const bracketedHead = /^[[(](\d{1,2}):(\d{2})(?::(\d{2}))?(?:[.,]\d{1,6})?(?:\s?([ap])\.?m\.?)?[\])]/iu
const datedHead = /^([[(])(\d{1,4}[-./](?:\d{1,2}|\p{L}{3})[-./]\d{2,4})[ ,T]{1,2}/u
/** A time without brackets, before what a log of a chat of IRC has behind it. */
const bareHead = /^(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\s?([ap])m)?(?=\s{1,2}(?:[<*-]|-->))/iu

const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

const monthNumber = (text: string): number => {
  const at = monthNames.indexOf(text.toLowerCase())
  return at < 0 ? Number(text) : at + 1
}

const dayMs = 86_400_000

/** Null for a date that no calendar has. */
const dayNumber = (year: number, month: number, day: number): number | null => {
  const atMs = Date.UTC(year, month - 1, day)
  const date = new Date(atMs)
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? atMs / dayMs : null
}

const noName = /[:;,!?"„”“«»<>[\]{}()=|\\/*#]/u
const isLower = (word: string): boolean => /^\p{Ll}/u.test(word)

const particles: ReadonlySet<string> = new Set([
  ...[
    'z',
    'ze',
    'od',
    'i',
    'w',
    'na',
    'do',
    'spod',
    'znad',
    'de',
    'von',
    'van',
    'of',
    'the',
    'la',
    'le',
    'du',
    'al',
  ],
])

/** Words before a colon that announce a text instead of naming who says it. */
const notices: ReadonlySet<string> = new Set([
  ...['uwaga', 'ps', 'np', 'cytat', 'link', 'edit', 'edycja', 'http', 'https', 'ooc', 'nb', 'czyli', 'tzn'],
  ...['wynik', 'rzut', 'note', 'warning'],
])

/** Verbs of saying, with which a sentence leads to what it quotes. */
const sayings: ReadonlySet<string> = new Set(
  ['powiedział', 'rzekł', 'odparł', 'odrzekł', 'szepnął', 'krzyknął', 'dodał', 'zapytał', 'spytał', 'mruknął']
    .flatMap(verb => [verb, verb.endsWith('ął') ? `${verb.slice(0, -2)}ęła` : `${verb}a`])
    .concat([
      ...['zawołał', 'zawołała', 'oznajmił', 'oznajmiła', 'stwierdził', 'stwierdziła', 'odpowiedział'],
      ...[
        'odpowiedziała',
        'napisał',
        'napisała',
        'odparli',
        'rzekli',
        'mówi',
        'szepcze',
        'pyta',
        'woła',
        'pisze',
      ],
      ...[
        'krzyczy',
        'mruczy',
        'odpowiada',
        'brzmi',
        'brzmiało',
        'brzmiał',
        'głosi',
        'głosił',
        'said',
        'says',
      ],
    ]),
)

/** What a person does who comes or goes, as chats report it. */
const comings: ReadonlySet<string> = new Set([
  ...['dołączył', 'dołączyła', 'dołączył(a)', 'dołącza', 'opuścił', 'opuściła', 'opuścił(a)', 'opuszcza'],
  ...['rozłączył', 'rozłączyła', 'rozłączył(a)', 'zalogował', 'zalogowała', 'zalogował(a)', 'wylogował'],
  ...['wylogowała', 'wylogował(a)', 'joined', 'left', 'quit'],
])
const englishComings: ReadonlySet<string> = new Set(['joined', 'left', 'quit', 'disconnected', 'connected'])

const noticeStarts: ReadonlyArray<RegExp> = [
  /^(?:\*\*\* ?|-!- |--> ?|<-- ?|→ |← |-{3} |Session (?:Start|Close|Time|Ident): )/u,
  /^\* (?:Joins|Parts|Quits|Now talking|Topic is|Set by|Disconnected|Rejoined)\b/u,
  /^\* \S{1,40} (?:has (?:joined|left|quit)|sets mode|is now known|changes topic)\b/u,
]

const hasCodes = /[\u0000-\u0008\u000b-\u001f\u007f\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/u

const dice =
  /(?<![\p{L}\p{N}])(?:\d{0,2}[kd]|\d\d?[KD])\d{1,3}(?: ?[+-] ?\d{1,3})?(?: ?(?:=|:|->|→) ?\d+)?(?![\p{L}\p{N}])/u
