import { existsSync } from 'node:fs'
import type { MessagePort } from 'node:worker_threads'
import { isRight } from 'fp-ts/lib/Either.js'
import { absurd } from 'fp-ts/lib/function.js'
import type { NameKey } from '#protocol/atoms.js'
import { sqliteCode } from '#src/adapters/runtime/sqlite.js'
import { type LineQueries, lineQueries, spokenLines } from '#src/adapters/transcripts/line-queries.js'
import {
  draftTranscriptFile,
  type LogToIndex,
  openTranscriptFile,
  removeTranscriptFile,
  type TranscriptDraft,
  type TranscriptFile,
} from '#src/adapters/transcripts/transcript-file.js'
import { lemmasIn } from '#src/domain/search/query.js'
import { noLemmas } from '#src/domain/search/texts/documents.js'
import { atOnce } from '#src/domain/slicing/sliced.js'
import { collectMentions, type MentionIndex, openMentions } from '#src/domain/transcripts/mention-index.js'
import { parseTranscript } from '#src/domain/transcripts/parse.js'
import { spokenChannel } from '#src/domain/transcripts/questions.js'
import { decodeTranscript, unparsedTranscript } from '#src/domain/transcripts/sidecar.js'
import type { AnswerOnLine, AskOnLine } from '#src/node/search/threads/messages.js'
import type { AskedOfIndex, FromIndex, SentLog, ToIndex } from './messages.js'

/**
 * Runs the thread of the transcript index: it has the file, takes its changes and answers every question. A file that
 * turns out to be damaged is removed, and the throw ends the thread, so that the next one begins with an empty index.
 */
export const serveIndex = (parent: MessagePort): void => {
  const say = (message: FromIndex): void => parent.postMessage(message)
  const index = openIndexState(say)
  parent.on('message', (message: ToIndex) =>
    index.guarded(() => {
      switch (message._tag) {
        case 'Open':
          return index.open(message.path)
        case 'Begin':
          return index.begin(message.isFresh)
        case 'Lemmas':
          return index.takeLemmas(message.lemmas)
        case 'Put':
          index.put(message.logs)
          return say({ _tag: 'Taken' })
        case 'Finish':
          return index.finish(message.dropped, message.stamp)
        case 'Ask':
          return index.answer(message.id, message.asked)
        case 'MakeMentions':
          return index.makeMentions(message.id)
        case 'TakeMentions':
          return index.takeMentions(message.bytes)
        case 'Connect':
          return index.connect(message.port)
        default:
          return absurd(message)
      }
    }),
  )
}

/** An index that answers. */
interface OpenIndex {
  readonly file: TranscriptFile
  readonly queries: LineQueries
}

const damagedCodes = /^SQLITE_(?:CORRUPT|NOTADB|FORMAT)/u

/** Makes rows of what was sent; `unparsed` gets the names of transcripts whose sidecar cannot be read. */
const toIndex = (log: SentLog, unparsed: Array<string>): LogToIndex => {
  const { sidecar, text, address, ...rest } = log
  if (sidecar === null && text !== null)
    return { ...rest, transcript: atOnce(parseTranscript(text, { name: log.name, address })) }
  const read = sidecar === null ? null : decodeTranscript(Buffer.from(sidecar).toString('utf8'))
  if (read !== null && isRight(read)) return { ...rest, transcript: read.right }
  unparsed.push(log.name)
  return { ...rest, transcript: unparsedTranscript(log.name, address) }
}

const openIndexState = (say: (message: FromIndex) => void) => {
  let path = ''
  let live: OpenIndex | null = null
  let mentions: MentionIndex | null = null
  const serve = (): void => {
    const file = openTranscriptFile(path)
    live = { file, queries: lineQueries(file, () => mentions) }
  }
  const liveNow = (): OpenIndex => {
    if (live === null) throw new Error('the transcript index was asked before there was one')
    return live
  }
  const guarded = (step: () => void): void => {
    try {
      step()
    } catch (error) {
      if (damagedCodes.test(sqliteCode(error) ?? '') && path !== '') removeTranscriptFile(path)
      throw error
    }
  }
  const replace = (finish: () => void): void => {
    live?.file.close()
    live = null
    finish()
    serve()
  }
  return {
    /** Runs one step. A damaged file is removed before the throw ends the thread. */
    guarded,
    ...indexChanges({ say, path: () => path, live: () => live?.file ?? null, liveNow, replace }),
    open: (at: string): void => {
      path = at
      let trouble: string | null = null
      try {
        if (existsSync(path)) serve()
      } catch (error) {
        trouble = error instanceof Error ? error.message : String(error)
        removeTranscriptFile(path)
      }
      say({ _tag: 'Opened', isSaved: live !== null, trouble, ...readingOf(live) })
    },
    takeMentions: (bytes: Uint8Array): void => {
      mentions = openMentions(bytes)
    },
    makeMentions: (id: number): void => makeMentions(() => live?.file ?? null, id, say, guarded),
    answer: (id: number, asked: AskedOfIndex): void => {
      if (live === null) return say({ _tag: 'AnswerFailed', id, reason: 'there is no index yet' })
      say({ _tag: 'Answer', id, answer: answerOf(live.queries, asked) })
    },
    connect: (port: MessagePort): void => {
      port.on('message', ({ id, question }: AskOnLine) =>
        guarded(() => {
          const { file } = liveNow()
          const answer: AnswerOnLine = { id, stamp: file.stamp(), ...file.rank(question) }
          port.postMessage(answer)
        }),
      )
    },
  }
}

const readingOf = (live: OpenIndex | null) => ({
  stamp: live?.file.stamp() ?? '',
  lines: live?.file.lines() ?? 0,
  versions: live?.file.versions() ?? [],
})

/** Transcripts that are read in one turn, between which questions are answered. */
const logsPerTurn = 8

/** Makes the artifact of mentions in turns; fails where the index changes meanwhile. */
const makeMentions = (
  fileNow: () => TranscriptFile | null,
  id: number,
  say: (message: FromIndex) => void,
  guarded: (step: () => void) => void,
): void => {
  const file = fileNow()
  const stamp = file?.stamp() ?? ''
  if (file === null) return say({ _tag: 'AnswerFailed', id, reason: 'there is no index yet' })
  const collector = collectMentions()
  const logs = spokenLines(file, spokenChannel)
  const turn = (): void => {
    if (fileNow() !== file || file.stamp() !== stamp)
      return say({ _tag: 'AnswerFailed', id, reason: 'the index changed meanwhile' })
    for (let nth = 0; nth < logsPerTurn; nth += 1) {
      const { value, done } = logs.next()
      if (done === true) return say({ _tag: 'Mentions', id, stamp, bytes: collector.finish() })
      collector.beginLog(value.log)
      for (const { index, text } of value.lines) collector.addLine(index, text)
    }
    setImmediate(() => guarded(turn))
  }
  turn()
}

/** What the changes of an index need of its state. */
interface ChangedIndex {
  readonly say: (message: FromIndex) => void
  readonly path: () => string
  readonly live: () => TranscriptFile | null
  readonly liveNow: () => OpenIndex
  /** Closes the open index, and opens the one that `finish` puts in its place. */
  readonly replace: (finish: () => void) => void
}

const indexChanges = ({ say, path, live, liveNow, replace }: ChangedIndex) => {
  let draft: TranscriptDraft | null = null
  let unparsed: Array<string> = []
  const lemmas = new Map<NameKey, ReadonlyArray<string>>()
  const lemmasNow = () => ({ ...noLemmas, ofForm: lemmasIn(lemmas) })
  return {
    begin: (isFresh: boolean): void => {
      draft?.drop()
      draft = isFresh || live() === null ? draftTranscriptFile(path()) : null
      unparsed = []
      lemmas.clear()
    },
    takeLemmas: (some: ReadonlyArray<readonly [NameKey, ReadonlyArray<string>]>): void => {
      for (const [form, own] of some) lemmas.set(form, own)
    },
    put: (logs: ReadonlyArray<SentLog>): void => {
      const added = logs.map(log => toIndex(log, unparsed))
      if (draft !== null) return draft.add(added, lemmasNow())
      const { file } = liveNow()
      file.apply({ dropped: [], added, stamp: file.stamp(), lemmas: lemmasNow() })
    },
    finish: (dropped: ReadonlyArray<string>, stamp: string): void => {
      const built = draft
      draft = null
      if (built !== null) replace(() => built.finish(stamp))
      else liveNow().file.apply({ dropped, added: [], stamp, lemmas: lemmasNow() })
      lemmas.clear()
      const { file } = liveNow()
      say({
        _tag: 'Fed',
        stamp,
        logs: file.logs().length,
        lines: file.lines(),
        isWorn: file.isWorn(),
        versions: file.versions(),
        unparsed,
      })
    },
  }
}

const answerOf = (queries: LineQueries, asked: AskedOfIndex): unknown => {
  switch (asked.name) {
    case 'lines':
      return queries.lines(asked.question)
    case 'log':
      return queries.log(asked.question)
    case 'speakers':
      return queries.speakers(asked.question)
    case 'tallies':
      return queries.tallies(asked.question)
    case 'scenes':
      return queries.scenes(asked.question)
    case 'places':
      return queries.places(asked.question)
    case 'years':
      return queries.years(asked.question)
    case 'surfaces':
      return queries.surfaces(asked.question)
    case 'mentions':
      return queries.mentions(asked.question)
    case 'commonSurfaces':
      return queries.commonSurfaces(asked.question)
    default:
      return absurd(asked)
  }
}
