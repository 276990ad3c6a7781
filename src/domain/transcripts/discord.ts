import { isRight } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { readJson } from '#src/domain/json/json-text.js'
import {
  clockOf,
  type Piece,
  type Reading,
  readDate,
  readEmote,
  readHead,
  readPlace,
  type TranscriptFormat,
} from './line-reading.js'

/** The exports of DiscordChatExporter as JSON: one line for each message. */
export const discordJson: TranscriptFormat = {
  id: 'discord-json',
  isDocument: opening => /^\s*\{\s*"guild"\s*:/u.test(opening) && /"channel"\s*:/u.test(opening),
  cut: cutMessages,
  read: (text, channel) => readMessage(text, channel),
  channelOf: opening => {
    const channel = opening.slice(Math.max(0, opening.search(/"channel"\s*:/u)))
    const [, name] = /"name"\s*:\s*("(?:[^"\\]|\\.){0,200}")/u.exec(channel) ?? []
    return name === undefined ? null : textOf(readJson(name))
  },
}

/** The exports of DiscordChatExporter as text: a line for each message, which may have line ends in it. */
export const discordText: TranscriptFormat = {
  id: 'discord-text',
  isDocument: opening => /^\s*={20,100}\r?\nGuild: /u.test(opening),
  cut: cutBlocks,
  read: (text, channel) => readBlock(text, channel),
  channelOf: opening => {
    const [, channel = ''] = /\nChannel: ([^\r\n]{1,300})/u.exec(opening) ?? []
    const name = channel
      .slice(channel.lastIndexOf(' / ') + 1)
      .replace(/^\/ /u, '')
      .trim()
    return name === '' ? null : name
  },
}

const textOf = (read: ReturnType<typeof readJson>): string | null =>
  isRight(read) && typeof read.right === 'string' && read.right !== '' ? read.right : null

const optional = <C extends t.Mixed>(codec: C) => t.union([codec, t.null, t.undefined])

/** A message of the JSON export; what is absent was not written by that version. */
const Message = t.type({
  timestamp: t.string,
  type: optional(t.string),
  content: optional(t.string),
  author: t.type({ name: t.string, nickname: optional(t.string) }),
  attachments: optional(t.array(t.type({ url: t.string }))),
})

/** Kinds of messages that a person wrote. */
const written: ReadonlySet<string> = new Set(['Default', 'Reply', 'ChatInputCommand', 'ContextMenuCommand'])

const readMessage = (text: string, channel: string | null): Reading | null => {
  const parsed = readJson(text)
  const decoded = isRight(parsed) ? Message.decode(parsed.right) : null
  if (decoded === null || !isRight(decoded)) return null
  const { timestamp, type, content, author, attachments } = decoded.right
  const [, day, hours = '', minutes = '', seconds] =
    /^(\d{4}-\d{2}-\d{2})T(\d{2}):(\d{2}):(\d{2})/u.exec(timestamp) ?? []
  const stated = {
    date: day === undefined ? null : readDate(day, false),
    time: clockOf(hours, minutes, seconds, undefined),
    channel,
  }
  const said = (content ?? '').trim()
  if (!written.has(type ?? 'Default')) return { ...stated, kind: 'note', speaker: null, text: said }
  const speaker = (author.nickname ?? '').trim() || author.name.trim()
  return readSaid(said, (attachments ?? []).map(({ url }) => url).join(' '), { ...stated, speaker })
}

/** What a message says: a heading, an emote or a speech; a note where it only carries files. */
const readSaid = (
  said: string,
  files: string,
  stated: Pick<Reading, 'date' | 'time' | 'channel' | 'speaker'>,
): Reading => {
  if (said === '') return { ...stated, kind: 'note', speaker: null, text: files }
  const place = readPlace(said)
  if (place !== null) return { ...stated, kind: 'place', speaker: null, text: place }
  const emote = readEmote(said)
  const isAct = emote !== null && emote.isLed === undefined
  return { ...stated, kind: isAct ? 'act' : 'say', text: isAct ? emote.text : said }
}

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a]
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d]

/**
 * Finds the elements of `messages` in one pass over the bytes, without parsing: a torn file has those before the tear.
 * Null where there are none.
 */
function cutMessages(bytes: Buffer): ReadonlyArray<Piece> | null {
  const pieces: Array<Piece> = []
  let [depth, from, keyFrom, listDepth] = [0, -1, -1, -1]
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === quote) {
      const begin = at
      at += 1
      while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1
      keyFrom =
        depth === 1 && bytes.toString('latin1', begin, Math.min(at + 1, begin + 20)) === '"messages"'
          ? at
          : -1
    } else if (byte === openBrace || byte === openBracket) {
      if (byte === openBracket && keyFrom >= 0 && listDepth < 0) listDepth = depth
      else if (byte === openBrace && depth === listDepth + 1 && listDepth >= 0 && from < 0) from = at
      depth += 1
    } else if (byte === closeBrace || byte === closeBracket) {
      depth -= 1
      if (byte === closeBrace && from >= 0 && depth === listDepth + 1) {
        pieces.push({ from, to: at + 1, end: at + 1 })
        from = -1
      } else if (depth === listDepth) break
    } else if (byte === comma && depth === 1) keyFrom = -1
    else if (byte !== colon && byte !== undefined && byte > 0x20 && depth === 1) keyFrom = -1
  }
  return endAt(pieces, from, bytes.length)
}

/** Lets the last piece end with the file; what was torn off is one more. */
const endAt = (
  pieces: ReadonlyArray<Piece>,
  tornFrom: number,
  length: number,
): ReadonlyArray<Piece> | null => {
  const last = pieces.at(-1)
  if (last === undefined) return null
  return tornFrom >= 0
    ? [...pieces, { from: tornFrom, to: length, end: length }]
    : [...pieces.slice(0, -1), { ...last, end: length }]
}

/** `[12/25/2023 8:30 PM] Author`: the date, the rest of the bracket, and the author. */
const blockHead = /^\[(\d{1,4}[-./](?:\d{1,2}|\p{L}{3})[-./]\d{2,4}),? ([^\]\r\n]{4,20})\] ([^\r\n]{1,100})/u

/** Begins a piece at the head of each message, and one at the end for the count of messages. */
function cutBlocks(bytes: Buffer): ReadonlyArray<Piece> | null {
  const starts = [0]
  for (let at = 0; at < bytes.length; ) {
    const newline = bytes.indexOf(0x0a, at)
    const next = newline < 0 ? bytes.length : newline + 1
    const isHead =
      bytes[at] === openBracket && blockHead.test(bytes.toString('utf8', at, Math.min(next, at + 200)))
    const isFoot = bytes[at] === 0x3d && bytes.toString('latin1', next, next + 9) === 'Exported '
    if (
      at > 0 &&
      (isHead ||
        (isFoot && /^={20,100}\r?\n?$/u.test(bytes.toString('latin1', at, Math.min(next, at + 200)))))
    )
      starts.push(at)
    at = next
  }
  return starts.map((from, index) => {
    const end = starts[index + 1] ?? bytes.length
    return { from, to: end, end }
  })
}

/** Begin what the export adds below the text of a message. */
const additions: ReadonlySet<string> = new Set(['{Attachments}', '{Embed}', '{Reactions}', '{Stickers}'])

/** What the platform writes in the name of a member. */
const platformTexts: ReadonlyArray<string> = [
  'Joined the server.',
  'Pinned a message.',
  'Started a call that lasted',
]

const readBlock = (text: string, channel: string | null): Reading | null => {
  const found = blockHead.exec(text)
  if (found === null)
    return /^={20}/u.test(text.trimStart())
      ? { kind: 'note', date: null, time: null, channel: null, speaker: null, text: dropRules(text) }
      : null
  const [whole, date = '', clock = '', named = ''] = found
  const { time } = readHead(`[${clock}]`)
  if (time === null) return null
  const stated = { date: readDate(date, /m\.?$/iu.test(clock)), time, channel }
  const lines = text.slice(whole.length).split(/\r?\n/u)
  const added = lines.findIndex(line => additions.has(line.trim()))
  const said = lines
    .slice(0, added < 0 ? undefined : added)
    .join('\n')
    .trim()
  if (platformTexts.some(one => said.startsWith(one)))
    return { ...stated, kind: 'note', speaker: null, text: `${named.trim()}: ${said}` }
  const speaker = named
    .replace(/ \(pinned\)\s*$/u, '')
    .replace(/#\d{4}\s*$/u, '')
    .trim()
  const files =
    added < 0
      ? ''
      : lines
          .slice(added + 1)
          .filter(line => line.trim() !== '')
          .join(' ')
  return readSaid(said, files.trim(), { ...stated, speaker })
}

const dropRules = (text: string): string =>
  text
    .split(/\r?\n/u)
    .filter(line => !/^=*$/u.test(line.trim()))
    .join('\n')
