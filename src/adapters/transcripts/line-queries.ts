import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { perValue } from '#src/domain/caching/per-value.js'
import type { MentionIndex } from '#src/domain/transcripts/mention-index.js'
import {
  anyLine,
  type FoundLine,
  type FoundScene,
  type LineFilter,
  type LogTally,
  type QueryWords,
  type SpeakerTally,
  type TranscriptQuestions,
  type YearOfLines,
} from '#src/domain/transcripts/questions.js'
import type { Segment } from '#src/domain/transcripts/transcript.js'
import { wordToken } from '../search/fts5-build.js'
import { type ColdLine, coldLine, type HeldLog, isSpokenFlag, isTopicFlag, kindOf } from './line-columns.js'
import type { TranscriptFile } from './transcript-file.js'

/** Answers each question from an open index. */
export type LineQueries = {
  readonly [Name in keyof TranscriptQuestions]: (
    question: TranscriptQuestions[Name]['question'],
  ) => TranscriptQuestions[Name]['answer']
}

/** The queries of an index. They keep nothing that a change of it would make wrong. */
export const lineQueries = (
  file: TranscriptFile,
  mentions: () => MentionIndex | null = () => null,
): LineQueries => {
  const reader = lineReader(file)
  return {
    lines: ({ filter, limit, offset }) => pageOfLines(file, reader, filter, { limit, offset }),
    log: question => findLog(file, reader, question),
    speakers: ({ filter }) => tallySpeakers(file, reader, filter),
    tallies: ({ filter }) => tallyLogs(file, reader, filter),
    scenes: question => findScenes(file, reader, question),
    places: () => reader.places(),
    years: question => linesByYear(file, reader, question),
    surfaces: ({ words }) => mentions()?.surfacesWith(words) ?? null,
    mentions: ({ surfaces, filter, linesMax }) => {
      const index = mentions()
      return index === null
        ? null
        : linesByYear(file, reader, { at: index.linesOf(surfaces), filter, linesMax })
    },
    commonSurfaces: ({ logsMin }) => mentions()?.common(logsMin) ?? null,
  }
}

/** A filter over an index: which transcripts may have a line of it, and its test of a line. */
interface OpenFilter {
  readonly admitsLog: (log: HeldLog) => boolean
  readonly admits: (log: HeldLog, at: number) => boolean
}

const inBounds = ({ day, dayEnd }: HeldLog, { from, to }: LineFilter): boolean =>
  (from === null && to === null) ||
  (day !== null && (from === null || (dayEnd ?? day) >= from) && (to === null || day <= to))

const idsOf = (file: TranscriptFile, speakers: ReadonlyArray<string>): ReadonlySet<number> =>
  new Set(speakers.flatMap(name => file.speakerIds(name) ?? []))

/** The numbers of the channels of this name, in any case. */
const channelsOf = (file: TranscriptFile, channel: string): ReadonlySet<number> => {
  const wanted = channel.toLocaleLowerCase('pl')
  const found = new Set<number>()
  for (let id = 1; ; id += 1) {
    const name = file.channelName(id)
    if (name === null) return found
    if (name.toLocaleLowerCase('pl') === wanted) found.add(id)
  }
}

/** The words of a filter are not looked at. */
const openFilter = (
  file: TranscriptFile,
  filter: LineFilter,
  segmentsOf: (log: HeldLog) => ReadonlyArray<Segment>,
): OpenFilter => {
  const speakers = filter.speakers === null ? null : idsOf(file, filter.speakers)
  const others = idsOf(file, filter.notSpeakers)
  const channels = filter.channel === null ? null : channelsOf(file, filter.channel)
  const wanted = filter.logs === null ? null : new Set(filter.logs)
  const except = new Map(filter.except.map(([log, names]) => [log, idsOf(file, names)]))
  const places = filter.places === null ? null : new Set(filter.places)
  /** The segments of a transcript in the places, as its lines number them. */
  const segmentsIn = perValue(
    (log: HeldLog): ReadonlySet<number> =>
      new Set(segmentsOf(log).flatMap(({ place }, at) => (places?.has(place) === true ? [at + 1] : []))),
  )
  return {
    admitsLog: log =>
      wanted?.has(log.name) !== false &&
      inBounds(log, filter) &&
      (places === null || segmentsIn(log).size > 0),
    admits: (log, at) => {
      const [speaker, flags] = [log.speakers[at] ?? 0, log.flags[at] ?? 0]
      return (
        (speakers === null || speakers.has(speaker)) &&
        (channels === null || channels.has(log.channels[at] ?? 0)) &&
        (!filter.isSpoken || isSpokenFlag(flags)) &&
        (filter.withTopics || (flags & isTopicFlag) === 0) &&
        !others.has(speaker) &&
        except.get(log.name)?.has(speaker) !== true &&
        (places === null || segmentsIn(log).has(log.segments[at] ?? 0))
      )
    },
  }
}

const LineRow = t.type({ row: t.number, text: t.string, dice: t.union([t.string, t.null]) })
const SegmentRow = t.type({ place: t.string, first: t.number, last: t.number })
const HeadRow = t.type({
  address: t.string,
  parser: t.number,
  format: t.string,
  sha256: t.string,
  unread: t.number,
})

const decodeRow = <A>(codec: t.Decoder<unknown, A>, row: unknown): A => {
  const decoded = codec.decode(row)
  if (isLeft(decoded)) throw new Error('the transcript index has a row that no build wrote')
  return decoded.right
}

/** Reads what is not in memory: texts, times and segments. */
const lineReader = (file: TranscriptFile) => {
  const { sqlite } = file
  const text = sqlite.prepare('SELECT row, text, dice FROM line WHERE row = ?')
  const texts = sqlite.prepare('SELECT row, text, dice FROM line WHERE row BETWEEN ? AND ? ORDER BY row')
  const cold = sqlite.prepare('SELECT cold FROM log WHERE id = ?')
  const segments = sqlite.prepare('SELECT place, first, last FROM segment WHERE log = ? ORDER BY at')
  const head = sqlite.prepare('SELECT address, parser, format, sha256, unread FROM log WHERE id = ?')
  const places = sqlite.prepare('SELECT DISTINCT place FROM segment')
  // An unchanged transcript keeps its object over changes of the index, and a changed one has another.
  const coldOfLog = perValue((log: HeldLog): Uint8Array => {
    const [bytes] = cold.column(log.id)
    if (!(bytes instanceof Uint8Array))
      throw new Error('the transcript index lacks the times of a transcript')
    return bytes
  })
  const segmentsOf = perValue(
    (log: HeldLog): ReadonlyArray<Segment> => segments.all(log.id).map(row => decodeRow(SegmentRow, row)),
  )
  return {
    segmentsOf,
    places: (): ReadonlyArray<string> => places.column().map(String),
    headOf: (log: HeldLog) => decodeRow(HeadRow, head.all(log.id)[0]),
    coldOfLog,
    rowsWith: wordFinder(file),
    /** The lines of one transcript at these indexes, in their order. */
    linesOf: (log: HeldLog, indexes: ReadonlyArray<number>): ReadonlyArray<FoundLine> => {
      if (indexes.length === 0) return []
      const [times, headings] = [coldOfLog(log), segmentsOf(log)]
      const isDense = indexes.length * 4 > log.lines
      const rows = isDense
        ? texts.all(log.row, log.row + log.lines - 1)
        : indexes.map(at => text.all(log.row + at)[0])
      return indexes.map((at, nth) => {
        const row = decodeRow(LineRow, isDense ? rows[at] : rows[nth])
        return foundLine(file, log, at, { ...row, ...coldLine(times, at) }, headings)
      })
    },
  }
}

type LineReader = ReturnType<typeof lineReader>

const foundLine = (
  file: TranscriptFile,
  log: HeldLog,
  at: number,
  { text, dice, time, day, start, end }: ColdLine & { readonly text: string; readonly dice: string | null },
  segments: ReadonlyArray<Segment>,
): FoundLine => {
  const segment = (log.segments[at] ?? 0) - 1
  return {
    log: log.name,
    header: log.header,
    date: log.day,
    place: segments[segment]?.place ?? null,
    index: at,
    time,
    day,
    kind: kindOf(log.flags[at] ?? 0),
    channel: file.channelName(log.channels[at] ?? 0),
    segment: segment < 0 ? null : segment,
    speaker: file.speakerName(log.speakers[at] ?? 0),
    text,
    dice,
    start,
    end,
  }
}

/** Finds the rows that have the words of a filter, the lowest first; null: it asks for no words. */
const wordFinder = ({ sqlite }: TranscriptFile) => {
  const ids = sqlite.prepare('SELECT id FROM word WHERE word = ?')
  const scan = sqlite.prepare('SELECT rowid FROM posting WHERE posting MATCH ? ORDER BY rowid')
  /** The words of a query as FTS5 asks for them; null if no line has them all. */
  const expressionOf = (terms: QueryWords): string | null => {
    const groups = new Map<number, Array<string>>()
    for (const { key, covers } of terms) {
      const known = groups.get(covers) ?? []
      groups.set(covers, known)
      const [id] = ids.column(key)
      if (typeof id === 'number') known.push(`"${wordToken(id)}"`)
    }
    const asked = wordsAsked(groups)
    if (asked.length === 0 || asked.some(tokens => tokens.length === 0)) return null
    return asked.map(tokens => `(${tokens.join(' OR ')})`).join(' AND ')
  }
  return (terms: LineFilter['terms']): ReadonlyArray<number> | null => {
    if (terms === null) return null
    const asked = terms.map(expressionOf).filter(one => one !== null)
    return asked.length === 0 ? [] : scan.column(asked.map(one => `(${one})`).join(' OR ')).map(Number)
  }
}

/** As many words as the bits of `covers` can name. */
const queryWordsMax = 32

/** For each word of the query the tokens that stand for it; a key may stand for several words. */
const wordsAsked = (
  groups: ReadonlyMap<number, ReadonlyArray<string>>,
): ReadonlyArray<ReadonlyArray<string>> => {
  const words: Array<ReadonlyArray<string>> = []
  for (let nth = 0; nth < queryWordsMax; nth += 1) {
    const covering = [...groups].filter(([covers]) => (covers & (1 << nth)) !== 0)
    if (covering.length > 0) words.push(covering.flatMap(([, tokens]) => tokens))
  }
  return words
}

type Matches = readonly [log: HeldLog, indexes: ReadonlyArray<number>]

/**
 * The indexes of the meant lines of each transcript, in the order of answers. A filter by words or by speakers costs
 * what they have; any other one costs every line.
 */
const matchesOf = function* (
  file: TranscriptFile,
  reader: LineReader,
  filter: LineFilter,
): Generator<Matches, void> {
  const { admitsLog, admits } = openFilter(file, filter, reader.segmentsOf)
  const rows = reader.rowsWith(filter.terms) ?? rowsOfSpeakers(file, filter.speakers)
  if (rows !== null) {
    for (const [log, indexes] of byLog(file, rows)) {
      if (!admitsLog(log)) continue
      const found = indexes.filter(at => admits(log, at))
      if (found.length > 0) yield [log, found]
    }
    return
  }
  for (const log of file.logs()) {
    if (!admitsLog(log)) continue
    const found: Array<number> = []
    for (let at = 0; at < log.lines; at += 1) if (admits(log, at)) found.push(at)
    if (found.length > 0) yield [log, found]
  }
}

/** The rows of what these speakers said, the lowest first; null: everybody is meant. */
const rowsOfSpeakers = (
  file: TranscriptFile,
  speakers: LineFilter['speakers'],
): ReadonlyArray<number> | null =>
  speakers === null
    ? null
    : [...idsOf(file, speakers)].flatMap(id => [...file.rowsOfSpeaker(id)]).sort((one, other) => one - other)

/** Rows in ascending order, as indexes of lines by the transcript that has them, in the order of answers. */
const byLog = (file: TranscriptFile, rows: ReadonlyArray<number>): ReadonlyArray<Matches> => {
  const byRow = file.logsByRow()
  const found: Array<readonly [place: number, log: HeldLog, indexes: Array<number>]> = []
  let at = 0
  let open: Array<number> = []
  let end = 0
  for (const row of rows) {
    if (row < end) {
      open.push(row - (byRow[at]?.log.row ?? 0))
      continue
    }
    while (at < byRow.length && row >= (byRow[at]?.end ?? 0)) at += 1
    const held = byRow[at]
    if (held === undefined) break
    if (row < held.log.row) continue
    open = [row - held.log.row]
    end = held.end
    found.push([held.place, held.log, open])
  }
  return found.sort(([one], [other]) => one - other).map(([, log, indexes]) => [log, indexes])
}

const pageOfLines = (
  file: TranscriptFile,
  reader: LineReader,
  filter: LineFilter,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): TranscriptQuestions['lines']['answer'] => {
  const lines: Array<FoundLine> = []
  let total = 0
  for (const [log, found] of matchesOf(file, reader, filter)) {
    const from = Math.max(0, offset - total)
    const room = limit - lines.length
    if (room > 0 && from < found.length)
      for (const line of reader.linesOf(log, found.slice(from, from + room))) lines.push(line)
    total += found.length
  }
  return { total, lines }
}

const findLog = (
  file: TranscriptFile,
  reader: LineReader,
  { name, withTopics, withLines }: TranscriptQuestions['log']['question'],
): TranscriptQuestions['log']['answer'] => {
  const log = file.logs().find(one => one.name === name)
  if (log === undefined) return null
  const shown: Array<number> = []
  for (let at = 0; at < log.lines && withLines; at += 1)
    if (withTopics || ((log.flags[at] ?? 0) & isTopicFlag) === 0) shown.push(at)
  const { header, title, day, dayEnd } = log
  return {
    name,
    header,
    title,
    day,
    dayEnd,
    ...reader.headOf(log),
    lineCount: log.lines,
    segments: reader.segmentsOf(log),
    lines: reader.linesOf(log, shown),
  }
}

const earliest = (one: string | null, other: string | null): string | null =>
  one === null ? other : other === null ? one : one < other ? one : other

const latest = (one: string | null, other: string | null): string | null =>
  one === null ? other : other === null ? one : one > other ? one : other

const tallySpeakers = (
  file: TranscriptFile,
  reader: LineReader,
  filter: LineFilter,
): ReadonlyArray<SpeakerTally> => {
  const tallies = new Map<
    number,
    { lines: number; words: number; logs: number; first: string | null; last: string | null }
  >()
  const lastLog = new Map<number, number>()
  for (const [log, found] of matchesOf(file, reader, filter))
    for (const at of found) {
      const id = log.speakers[at] ?? 0
      if (id === 0) continue
      const known = tallies.get(id) ?? { lines: 0, words: 0, logs: 0, first: null, last: null }
      known.lines += 1
      known.words += log.words[at] ?? 0
      if (lastLog.get(id) !== log.id) {
        lastLog.set(id, log.id)
        known.logs += 1
        known.first = earliest(known.first, log.day)
        known.last = latest(known.last, log.dayEnd ?? log.day)
      }
      tallies.set(id, known)
    }
  return [...tallies].flatMap(([id, tally]) => {
    const speaker = file.speakerName(id)
    return speaker === null ? [] : [{ speaker, ...tally }]
  })
}

/** How often each speaker is among the lines, the most first. */
const speakersIn = (
  file: TranscriptFile,
  log: HeldLog,
  indexes: ReadonlyArray<number>,
): LogTally['speakers'] => {
  const counts = new Map<number, number>()
  for (const at of indexes) {
    const id = log.speakers[at] ?? 0
    if (id !== 0) counts.set(id, (counts.get(id) ?? 0) + 1)
  }
  return [...counts]
    .flatMap(([id, lines]) => {
      const name = file.speakerName(id)
      return name === null ? [] : [[name, lines] as const]
    })
    .sort((one, other) => other[1] - one[1] || (one[0] < other[0] ? -1 : 1))
}

const tallyLogs = (file: TranscriptFile, reader: LineReader, filter: LineFilter): ReadonlyArray<LogTally> =>
  [...matchesOf(file, reader, filter)].map(([log, found]) => ({
    log: log.name,
    header: log.header,
    title: log.title,
    day: log.day,
    dayEnd: log.dayEnd,
    lines: found.length,
    words: found.reduce((words, at) => words + (log.words[at] ?? 0), 0),
    speakers: speakersIn(file, log, found),
  }))

const findScenes = (
  file: TranscriptFile,
  reader: LineReader,
  { filter, limit, offset }: TranscriptQuestions['scenes']['question'],
): TranscriptQuestions['scenes']['answer'] => {
  const everybody = openFilter(
    file,
    { ...filter, speakers: null, terms: null, places: null },
    reader.segmentsOf,
  )
  const scenes: Array<FoundScene> = []
  let total = 0
  for (const [log, found] of matchesOf(file, reader, filter)) {
    const inSegment = new Map<number, number>()
    for (const at of found) {
      const segment = log.segments[at] ?? 0
      inSegment.set(segment, (inSegment.get(segment) ?? 0) + 1)
    }
    for (const [segment, lines] of inSegment) {
      total += 1
      if (total <= offset || scenes.length >= limit) continue
      const within = indexesIn(log, segment).filter(at => everybody.admits(log, at))
      const [first = 0, last = first] = [within[0], within.at(-1)]
      const times = reader.coldOfLog(log)
      scenes.push({
        log: log.name,
        header: log.header,
        day: log.day,
        segment: segment === 0 ? null : segment - 1,
        place: reader.segmentsOf(log)[segment - 1]?.place ?? null,
        first,
        last,
        from: coldLine(times, first).time,
        to: coldLine(times, last).time,
        lines,
        company: speakersIn(file, log, within),
      })
    }
  }
  return { total, scenes }
}

const indexesIn = (log: HeldLog, segment: number): ReadonlyArray<number> => {
  const found: Array<number> = []
  for (let at = 0; at < log.lines; at += 1) if (log.segments[at] === segment) found.push(at)
  return found
}

const linesByYear = (
  file: TranscriptFile,
  reader: LineReader,
  { at, filter, linesMax }: TranscriptQuestions['years']['question'],
): ReadonlyArray<YearOfLines> => {
  const wanted = new Map(at)
  const years = new Map<string | null, { count: number; lines: Array<FoundLine> }>()
  const { admitsLog, admits } = openFilter(file, filter, reader.segmentsOf)
  for (const log of file.logs()) {
    const asked = wanted.get(log.name)
    if (asked === undefined || !admitsLog(log)) continue
    const found = asked.filter(one => one < log.lines && admits(log, one))
    if (found.length === 0) continue
    const year = log.day === null ? null : log.day.slice(0, 4)
    const known = years.get(year) ?? { count: 0, lines: [] }
    years.set(year, known)
    known.count += found.length
    for (const line of reader.linesOf(log, found.slice(0, linesMax - known.lines.length)))
      known.lines.push(line)
  }
  return [...years].map(([year, one]) => ({ year, ...one }))
}

/** The lines that the index of mentions is made of, one transcript after the other: what is heard in `Lokalny`. */
export const spokenLines = function* (
  file: TranscriptFile,
  channel: string,
): Generator<{ readonly log: string; readonly lines: ReadonlyArray<FoundLine> }, void> {
  const reader = lineReader(file)
  const filter: LineFilter = { ...anyLine, channel, isSpoken: true }
  for (const [log, found] of matchesOf(file, reader, filter))
    yield { log: log.name, lines: reader.linesOf(log, found) }
}
