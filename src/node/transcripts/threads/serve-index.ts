import { existsSync } from 'node:fs'
import type { MessagePort } from 'node:worker_threads'
import { isLeft } from 'fp-ts/lib/Either.js'
import { absurd } from 'fp-ts/lib/function.js'
import type { NameKey } from '#protocol/atoms.js'
import { sqliteCode } from '#src/adapters/runtime/sqlite.js'
import { type LineQueries, lineQueries } from '#src/adapters/transcripts/line-queries.js'
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
          return
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

const openIndexState = (say: (message: FromIndex) => void) => {
  let path = ''
  let live: OpenIndex | null = null
  let draft: TranscriptDraft | null = null
  let unparsed: Array<string> = []
  const lemmas = new Map<NameKey, ReadonlyArray<string>>()
  const lemmasNow = () => ({ ...noLemmas, ofForm: lemmasIn(lemmas) })
  const serve = (): void => {
    const file = openTranscriptFile(path)
    live = { file, queries: lineQueries(file) }
  }
  const liveNow = (): OpenIndex => {
    if (live === null) throw new Error('the transcript index was asked before there was one')
    return live
  }
  const toIndex = (log: SentLog): LogToIndex => {
    const { sidecar, address, ...rest } = log
    const read = sidecar === null ? null : decodeTranscript(Buffer.from(sidecar).toString('utf8'))
    if (read === null) unparsed.push(log.name)
    return {
      ...rest,
      transcript: read === null || isLeft(read) ? unparsedTranscript(log.name, address) : read.right,
    }
  }
  const guarded = (step: () => void): void => {
    try {
      step()
    } catch (error) {
      if (damagedCodes.test(sqliteCode(error) ?? '') && path !== '') removeTranscriptFile(path)
      throw error
    }
  }
  return {
    /** Runs one step. A damaged file is removed before the throw ends the thread. */
    guarded,
    open: (at: string): void => {
      path = at
      let trouble: string | null = null
      try {
        if (existsSync(path)) serve()
      } catch (error) {
        trouble = error instanceof Error ? error.message : String(error)
        removeTranscriptFile(path)
      }
      const file = live?.file
      say({
        _tag: 'Opened',
        isSaved: file !== undefined,
        trouble,
        stamp: file?.stamp() ?? '',
        lines: file?.lines() ?? 0,
        versions: file?.versions() ?? [],
      })
    },
    begin: (isFresh: boolean): void => {
      draft?.drop()
      draft = isFresh || live === null ? draftTranscriptFile(path) : null
      unparsed = []
      lemmas.clear()
    },
    takeLemmas: (some: ReadonlyArray<readonly [NameKey, ReadonlyArray<string>]>): void => {
      for (const [form, own] of some) lemmas.set(form, own)
    },
    put: (logs: ReadonlyArray<SentLog>): void => {
      const added = logs.map(toIndex)
      if (draft !== null) return draft.add(added, lemmasNow())
      const { file } = liveNow()
      file.apply({ dropped: [], added, stamp: file.stamp(), lemmas: lemmasNow() })
    },
    finish: (dropped: ReadonlyArray<string>, stamp: string): void => {
      if (draft !== null) {
        live?.file.close()
        live = null
        draft.finish(stamp)
        draft = null
        serve()
      } else liveNow().file.apply({ dropped, added: [], stamp, lemmas: lemmasNow() })
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
    default:
      return absurd(asked)
  }
}
