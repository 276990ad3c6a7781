import { isRight } from 'fp-ts/lib/Either.js'
import { readJson } from '#src/domain/json/json-text.js'
import { discordJson, discordText } from './discord.js'
import {
  clockOf,
  type Head,
  isNotice,
  type Reading,
  readDate,
  readEmote,
  readHead,
  readPlace,
  splitSpeaker,
  type TranscriptFormat,
} from './line-reading.js'

/**
 * The formats of transcripts. The first document format that knows the opening of a file reads all of it; of the
 * others, the one that reads most of the first lines does, and an earlier row where two read as many.
 */
export const transcriptFormats: ReadonlyArray<TranscriptFormat> = [
  discordJson,
  discordText,
  { id: 'json-lines', read: line => readJsonLine(line) },
  { id: 'chat', read: line => readChat(line, { hasTime: true, hasChannel: true }) },
  { id: 'chat-no-channel', read: line => readChat(line, { hasTime: true, hasChannel: false }) },
  { id: 'irc', read: line => readIrc(line) },
  { id: 'chat-no-time', read: line => readChat(line, { hasTime: false, hasChannel: true }) },
  { id: 'plain', read: line => readChat(line, { hasTime: false, hasChannel: false }) },
]

/** What a line without a speaker is: the heading of a place, a notice or an emote. */
const readUnspoken = ({ date, time, rest }: Head, channel: string | null): Reading | null => {
  const stated = { date, time, channel, speaker: null }
  const place = readPlace(rest)
  if (place !== null) return { ...stated, kind: 'place', text: place }
  if (isNotice(rest)) return { ...stated, kind: 'note', text: rest }
  const emote = readEmote(rest)
  return emote === null ? null : { ...stated, kind: 'act', ...emote }
}

/** `[Kanał] rest`; null for the channel where none is there. */
const splitChannel = (text: string): { readonly channel: string | null; readonly rest: string } => {
  const [whole, channel] = /^\[([^[\]\n]{1,40})\]/u.exec(text) ?? []
  return whole === undefined || channel === undefined || readHead(text).time !== null
    ? { channel: null, rest: text }
    : { channel: channel.trim(), rest: text.slice(whole.length).trimStart() }
}

const readChat = (
  line: string,
  form: { readonly hasTime: boolean; readonly hasChannel: boolean },
): Reading | null => {
  const head = readHead(line)
  if (form.hasTime !== (head.time !== null)) return readPlaceOnly(line)
  const { channel, rest } = splitChannel(head.rest)
  if (form.hasChannel !== (channel !== null)) return readPlaceOnly(line)
  const unspoken = readUnspoken({ ...head, rest }, channel)
  if (unspoken !== null) return unspoken
  const said = splitSpeaker(rest, !form.hasTime && !form.hasChannel)
  return said === null ? null : speak(head, channel, said.speaker, said.text)
}

/** In every chat a place is written without time and channel too. */
const readPlaceOnly = (line: string): Reading | null => {
  const place = readPlace(line)
  return place === null
    ? null
    : { kind: 'place', date: null, time: null, channel: null, speaker: null, text: place }
}

/** What a known speaker wrote: said, or acted where all of it is an emote. */
const speak = (
  { date, time }: Pick<Head, 'date' | 'time'>,
  channel: string | null,
  speaker: string,
  text: string,
): Reading => {
  const emote = readEmote(text)
  const isAct = emote !== null && emote.isLed === undefined
  return { kind: isAct ? 'act' : 'say', date, time, channel, speaker, text: isAct ? emote.text : text }
}

const readIrc = (line: string): Reading | null => {
  const head = readHead(line)
  const [whole, speaker] = /^<[@+%&~ ]?([^<>\n]{1,40})>/u.exec(head.rest) ?? []
  if (whole !== undefined && speaker !== undefined)
    return speak(head, null, speaker.trim(), head.rest.slice(whole.length).trim())
  const unspoken = readUnspoken(head, null)
  if (unspoken !== null) return unspoken
  const notice = /^-[^\s-][^\s]{0,60}- /u.exec(head.rest)
  return notice === null
    ? null
    : { kind: 'note', date: head.date, time: head.time, channel: null, speaker: null, text: head.rest }
}

/** Names that the fields of a JSON line have, in lower case. */
const jsonFields = {
  time: ['time', 'timestamp', 'ts', 'date', 'czas', 'godzina', 'data'],
  channel: ['channel', 'kanał', 'kanal'],
  speaker: ['speaker', 'author', 'nick', 'name', 'from', 'user', 'mówca', 'mowca', 'kto'],
  text: ['text', 'content', 'message', 'msg', 'tekst', 'treść', 'tresc'],
  place: ['place', 'location', 'miejsce', 'lokacja'],
  kind: ['kind', 'type', 'rodzaj', 'typ'],
} as const

const readJsonLine = (line: string): Reading | null => {
  const text = line.trim()
  if (!text.startsWith('{') || !text.endsWith('}')) return null
  const parsed = readJson(text)
  if (!isRight(parsed) || typeof parsed.right !== 'object' || parsed.right === null) return null
  const fields = new Map(Object.entries(parsed.right).map(([name, value]) => [name.toLowerCase(), value]))
  const textOf = (field: keyof typeof jsonFields): string | null => {
    for (const name of jsonFields[field]) {
      const value: unknown = fields.get(name)
      if (typeof value === 'string' && value.trim() !== '') return value.trim()
    }
    return null
  }
  const said = textOf('text')
  const place = textOf('place')
  const speaker = textOf('speaker')
  if (said === null) return null
  const stamp = readStamp(textOf('time') ?? '')
  const channel = textOf('channel')
  const reading = { ...stamp, channel, ...(place === null ? {} : { place }) }
  if (textOf('kind') === 'note' || speaker === null)
    return { ...reading, kind: 'note', speaker: null, text: said }
  const spoken = speak(stamp, channel, speaker, said)
  return { ...spoken, ...reading, ...(textOf('kind') === 'act' ? { kind: 'act' } : {}) }
}

/** Date and time of `2026-01-31T20:15:00+01:00` or of a clock, as written: in the zone of its writer. */
const readStamp = (text: string): Pick<Reading, 'date' | 'time'> => {
  const [, date, hours = '', minutes = '', seconds, half] =
    /^(?:(\d{4}-\d{2}-\d{2})[T ])?(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\s?([ap])m)?/iu.exec(text) ?? []
  return {
    date: date === undefined ? null : readDate(date, false),
    time: hours === '' ? null : clockOf(hours, minutes, seconds, half),
  }
}
