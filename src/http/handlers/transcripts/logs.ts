import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { instantOf } from '#protocol/atoms.js'
import type { TranscriptState } from '#protocol/lore/sessions.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import {
  type FoundLogLine,
  type IncludePart,
  includeParts,
  type LogLine,
  type LogRun,
  type LogSpeaker,
  type LogStatus,
  type logsRoutes,
  type ParsedLog,
  type SessionLog,
} from '#protocol/transcripts/logs.js'
import type { View } from '#src/domain/callers/caller.js'
import { sessionKey } from '#src/domain/lore/session-header.js'
import type { NameIndex } from '#src/domain/names/spelling-table.js'
import { type SpeakerLore, speakerResolverOf } from '#src/domain/samples/bound-speakers.js'
import { queryKnowledgeOf, queryTermsInSlices } from '#src/domain/search/query.js'
import { type Session, sessionFor } from '#src/domain/sessions/session.js'
import { citationsOf, nameOfAddress } from '#src/domain/transcripts/archive.js'
import {
  mentionOf,
  namesIn,
  type ResolvedSpeaker,
  speakerResolver,
} from '#src/domain/transcripts/names-in-lines.js'
import { anyLine, type FoundLine, type FoundLog, type LineFilter } from '#src/domain/transcripts/questions.js'
import type { SpokenLine } from '#src/domain/transcripts/transcript.js'
import type { Handlers } from '#src/http/routing/handler.js'
import type { Host } from '#src/ports/host.js'
import type { LogFailure, TranscriptIndex } from '#src/ports/transcripts.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { sessionNotFound } from '#src/writing/sessions/baselines.js'

/** What the rows of transcripts need of a node. */
export type LogsNode = Pick<Host, 'transcripts' | 'logFailures'>

/** Transcripts: the archive, their lines and who speaks (B 4.5). */
export const logsHandlers: Handlers<typeof logsRoutes, LogsNode> = {
  'logs.status.list': ({ caller, snapshot, node, query, nowMs }) => {
    const all = statusesOf(snapshot, node.logFailures.all(nowMs), caller.view)
    const count = (state: TranscriptState): number => all.filter(({ State }) => State === state).length
    const wanted = query.state?.toLowerCase()
    const page = windowOver(
      wanted === undefined ? all : all.filter(({ State }) => State.toLowerCase() === wanted),
      query,
    )
    return right({
      body: {
        ...page,
        Archived: count('Archived'),
        Missing: count('Missing'),
        Failed: count('Failed'),
        Refused: count('Refused'),
        Index: readingOf(node.transcripts),
      },
    })
  },
  'logs.lines.list': async ({ caller, snapshot, node, query, run }) => {
    const { text, log, speaker, channel, from, to } = query
    const terms = text === undefined ? null : await run(queryTermsInSlices(text, queryKnowledgeOf(snapshot)))
    const filter: LineFilter = {
      ...anyLine,
      terms: terms === null ? null : [terms],
      logs: log === undefined ? null : [logNamed(snapshot, log)],
      channel: channel ?? null,
      from: from ?? null,
      to: to ?? null,
      withTopics: caller.view.mayReadRestricted,
    }
    const speakers =
      speaker === undefined ? right(null) : await formsOfSpeaker(node.transcripts, snapshot.names, speaker)
    if (isLeft(speakers)) return speakers
    const { limit, offset } = pageOfQuery(query)
    const found = await node.transcripts.ask('lines', {
      filter: { ...filter, speakers: speakers.right },
      limit,
      offset,
    })
    if (isLeft(found)) return found
    const { total, lines } = found.right
    const items = lines.map(line => foundLogLine(line, snapshot))
    return right({ body: { count: items.length, total, limit, offset, items } })
  },
  'logs.speakers.list': async ({ caller, snapshot, node, query }) => {
    const { log, channel } = query
    const found = await node.transcripts.ask('speakers', {
      filter: {
        ...anyLine,
        isSpoken: true,
        logs: log === undefined ? null : [logNamed(snapshot, log)],
        channel: channel ?? null,
        withTopics: caller.view.mayReadRestricted,
      },
    })
    if (isLeft(found)) return found
    const resolve = speakerResolver(snapshot.names)
    const sorted = [...found.right].sort(
      (one, other) => other.lines - one.lines || (one.speaker < other.speaker ? -1 : 1),
    )
    const page = windowOver(sorted, query)
    const items = page.items.map(({ speaker, logs, lines, words, first, last }): LogSpeaker => {
      const { entity, stage } = resolve(speaker)
      const resolved = { SpeakerResolved: entity?.name ?? null, SpeakerStage: stage }
      return {
        Speaker: speaker,
        ...resolved,
        Logs: logs,
        Lines: lines,
        Words: words,
        First: first,
        Last: last,
      }
    })
    return right({ body: { ...page, items } })
  },
  'logs.archive.get': async ({ caller, snapshot, node, path, query }) => {
    const parts = partsOf(query.include)
    const found = await findLog(node.transcripts, snapshot, path.log, caller.view, hasLines(parts))
    return isLeft(found) ? found : right({ body: parsedLog(found.right, snapshot, parts, caller.view) })
  },
  'logs.archiveMentions.list': async ({ caller, snapshot, node, path }) => {
    const found = await findLog(node.transcripts, snapshot, path.log, caller.view, true)
    if (isLeft(found)) return found
    const items = found.right.lines.flatMap(({ index, text }) =>
      namesIn(text, snapshot.names).map(name => ({ Index: index, ...mentionOf(name) })),
    )
    return right({ body: { count: items.length, items } })
  },
  'logs.archiveRuns.list': async ({ caller, snapshot, node, path }) => {
    const found = await findLog(node.transcripts, snapshot, path.log, caller.view, true)
    if (isLeft(found)) return found
    const items = runsOf(found.right.lines, snapshot)
    return right({ body: { count: items.length, items } })
  },
  'sessions.logs.list': async ({ caller, snapshot, node, path, query, nowMs }) => {
    const whole = snapshot.sessions.byKey.get(sessionKey(path.header))
    if (whole === undefined) return left(sessionNotFound(snapshot, path.header))
    const session = sessionFor(caller.view, whole)
    const parts = partsOf(query.include)
    const failures = node.logFailures.all(nowMs)
    const items: Array<SessionLog> = []
    for (const Url of session.logs) {
      const Name = nameOfAddress(snapshot.sessions, Url)
      const State = stateOf(snapshot, Name, failures.get(Url))
      const found =
        State === 'Archived' && caller.view.logs
          ? await findLog(node.transcripts, snapshot, Name, caller.view, hasLines(parts))
          : null
      // A transcript of a commit that the index does not have yet is archived and not parsed.
      if (found !== null && isLeft(found) && found.left._tag !== 'LogNotFound') return left(found.left)
      const Parsed =
        found === null || isLeft(found) ? null : parsedLog(found.right, snapshot, parts, caller.view)
      items.push({ Url, Name, State, Parsed })
    }
    return right({ body: { Header: session.header, count: items.length, items } })
  },
  'logs.index.rebuild': async ({ node, dryRun }) => {
    if (dryRun) return right({ body: { rebuilt: false, Index: readingOf(node.transcripts) } })
    const rebuilt = await node.transcripts.rebuild()
    return isLeft(rebuilt) ? rebuilt : right({ body: { rebuilt: true, Index: readingOf(node.transcripts) } })
  },
}

/** The thirteen fields of a line. */
export const logLine = (line: SpokenLine, resolve: (speaker: string) => ResolvedSpeaker): LogLine => {
  const { speaker } = line
  const resolved = speaker === null ? null : resolve(speaker)
  return {
    Index: line.index,
    Time: line.time,
    Day: line.day,
    Kind: line.kind,
    Channel: line.channel,
    Segment: line.segment,
    Speaker: speaker,
    SpeakerResolved: resolved?.entity?.name ?? null,
    SpeakerStage: resolved?.stage ?? null,
    Text: line.text,
    Dice: line.dice,
    Start: line.start,
    End: line.end,
  }
}

/** A line with the transcript that has it. */
export const foundLogLine = (line: FoundLine, lore: SpeakerLore): FoundLogLine => ({
  Log: line.log,
  Header: line.header,
  Date: line.date,
  Place: line.place,
  ...logLine(line, speakerResolverOf(lore, line.log)),
})

/** The window of a query that has one always: 100 rows, at most 1,000. */
export const pageOfQuery = ({
  limit,
  offset,
}: PageQuery): { readonly limit: number; readonly offset: number } => ({
  limit: Math.min(limit ?? pageDefault, pageMax),
  offset: offset ?? 0,
})

/** A page of a list that is in memory. */
export const windowOver = <A>(all: ReadonlyArray<A>, query: PageQuery) => {
  const { limit, offset } = pageOfQuery(query)
  const items = all.slice(offset, offset + limit)
  return { count: items.length, total: all.length, limit, offset, items }
}

export interface PageQuery {
  readonly limit?: number | null | undefined
  readonly offset?: number | undefined
}

const pageDefault = 100
const pageMax = 1_000

/** The name of a transcript that a caller names by its name or address. */
const logNamed = ({ sessions }: Snapshot, log: string): string =>
  log.includes('://') ? nameOfAddress(sessions, log) : log

const readingOf = (index: Pick<TranscriptIndex, 'reading'>) => {
  const reading = index.reading()
  return reading === null ? null : { Stamp: reading.stamp, Logs: reading.logs, Lines: reading.lines }
}

/** The speakers, as written, that mean what a text means; the text itself too. */
const formsOfSpeaker = async (
  index: TranscriptIndex,
  names: NameIndex,
  text: string,
): Promise<Either<RefusalOf<'Starting' | 'Overloaded'>, ReadonlyArray<string>>> => {
  const found = await index.ask('speakers', { filter: { ...anyLine, withTopics: true } })
  if (isLeft(found)) return found
  const resolve = speakerResolver(names)
  const { entity } = resolve(text)
  const wanted = text.trim().toLocaleLowerCase('pl')
  return right(
    found.right.flatMap(({ speaker }) =>
      speaker.toLocaleLowerCase('pl') === wanted || (entity !== null && resolve(speaker).entity === entity)
        ? [speaker]
        : [],
    ),
  )
}

const stateOf = ({ archive }: Snapshot, name: string, failure: LogFailure | undefined): TranscriptState =>
  archive.has(name) ? 'Archived' : (failure?.state ?? 'Missing')

/** Every transcript that sessions cite, in their order, then those of the archive that none does. */
const statusesOf = (
  snapshot: Snapshot,
  failures: ReadonlyMap<string, LogFailure>,
  view: View,
): ReadonlyArray<LogStatus> => {
  const cited = new Map<string, { readonly name: string; readonly sessions: Array<string> }>()
  for (const whole of snapshot.sessions.all) {
    const session = sessionFor(view, whole)
    for (const url of new Set(session.logs.map(log => log.trim()))) {
      const known = cited.get(url)
      if (known === undefined)
        cited.set(url, { name: nameOfAddress(snapshot.sessions, url), sessions: [session.header] })
      else known.sessions.push(session.header)
    }
  }
  const listed = [...cited].map(([Url, { name: Name, sessions: Sessions }]): LogStatus => {
    const failure = snapshot.archive.has(Name) ? undefined : failures.get(Url)
    return {
      Url,
      Name,
      State: stateOf(snapshot, Name, failure),
      Reason: failure?.reason ?? null,
      UpstreamStatus: failure?.upstreamStatus ?? null,
      Attempts: failure?.attempts ?? 0,
      At: failure === undefined ? null : instantOf(failure.atMs),
      Sessions,
    }
  })
  const known = citationsOf(snapshot.sessions)
  const uncited = [...snapshot.archive.keys()].flatMap(
    (Name): ReadonlyArray<LogStatus> =>
      known.has(Name)
        ? []
        : [
            {
              Url: null,
              Name,
              State: 'Archived',
              Reason: null,
              UpstreamStatus: null,
              Attempts: 0,
              At: null,
              Sessions: [],
            },
          ],
  )
  return [...listed, ...uncited]
}

/** The parts that `include` names; null: all of them, with every field. Unknown ones are left out. */
const partsOf = (include: string | undefined): ReadonlySet<IncludePart> | null => {
  if (include === undefined) return null
  const named = new Set(include.split(',').map(part => part.trim().toLowerCase()))
  return new Set(includeParts.filter(part => named.has(part)))
}

const hasLines = (parts: ReadonlySet<IncludePart> | null): boolean =>
  parts === null || parts.has('lines') || parts.has('mentions')

const findLog = async (
  index: TranscriptIndex,
  snapshot: Snapshot,
  log: string,
  view: View,
  withLines: boolean,
): Promise<Either<RefusalOf<'Starting' | 'Overloaded' | 'LogNotFound'>, FoundLog>> => {
  const name = logNamed(snapshot, log)
  const found = await index.ask('log', { name, withTopics: view.mayReadRestricted, withLines })
  if (isLeft(found)) return found
  return found.right === null
    ? left(refuse('LogNotFound', `The archive has no transcript "${log}". GET /logs/status lists them.`))
    : right(found.right)
}

const parsedLog = (
  log: FoundLog,
  snapshot: Snapshot,
  parts: ReadonlySet<IncludePart> | null,
  view: View,
): ParsedLog => {
  const { sessions } = snapshot
  const has = (part: IncludePart): boolean => parts === null || parts.has(part)
  const citing: ReadonlyArray<Session> = citationsOf(sessions).get(log.name)?.sessions ?? []
  return {
    Name: log.name,
    ...(has('meta')
      ? {
          Url: log.address === '' ? null : log.address,
          Format: log.format,
          Parser: log.parser,
          Sha256: log.sha256,
          LineCount: log.lineCount,
          Unread: log.unread,
          Header: log.header,
          Title: log.title,
          Date: log.day,
          Sessions: citing.filter(one => sessionFor(view, one).logs.length > 0).map(({ header }) => header),
        }
      : {}),
    ...(has('segments')
      ? {
          LocationSegments: log.segments.map(({ place, first, last }) => ({
            Place: place,
            First: first,
            Last: last,
          })),
        }
      : {}),
    ...(hasLines(parts) ? { Lines: log.lines.map(line => sidecarLine(line, snapshot, parts)) } : {}),
  }
}

const sidecarLine = (line: FoundLine, lore: SpeakerLore, parts: ReadonlySet<IncludePart> | null) => {
  const whole = logLine(line, speakerResolverOf(lore, line.log))
  if (parts === null) return whole
  const { Index, Time, Channel, Segment, Speaker, SpeakerResolved, Text, Dice } = whole
  const short = { Index, Time, Channel, Segment, Speaker, SpeakerResolved, Text, Dice }
  return parts.has('mentions') ? { ...short, Mentions: namesIn(line.text, lore.names).map(mentionOf) } : short
}

/** Consecutive lines that one speaker spoke in one channel and one place. Lines without a speaker end a turn. */
const runsOf = (lines: ReadonlyArray<FoundLine>, lore: SpeakerLore): ReadonlyArray<LogRun> => {
  const runs: Array<LogRun> = []
  let open: { readonly run: LogRun; readonly speaker: string } | null = null
  for (const line of lines) {
    const { speaker, index, channel, segment } = line
    if (speaker === null || (line.kind !== 'say' && line.kind !== 'act')) {
      open = null
      continue
    }
    const last: LogRun | null = open?.speaker === speaker ? open.run : null
    if (last !== null && last.Last === index - 1 && last.Channel === channel && last.Segment === segment) {
      const Text = `${last.Text}\n${line.text}`
      const run: LogRun = { ...last, Last: index, Lines: last.Lines + 1, To: line.time ?? last.To, Text }
      runs[runs.length - 1] = run
      open = { run, speaker }
      continue
    }
    const { entity, stage } = speakerResolverOf(lore, line.log)(speaker)
    const run: LogRun = {
      Speaker: speaker,
      SpeakerResolved: entity?.name ?? null,
      SpeakerStage: stage,
      Channel: channel,
      Segment: segment,
      First: index,
      Last: index,
      Lines: 1,
      From: line.time,
      To: line.time,
      Text: line.text,
    }
    runs.push(run)
    open = { run, speaker }
  }
  return runs
}
