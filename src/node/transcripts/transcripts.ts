import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { MessagePort } from 'node:worker_threads'
import { isLeft, left, right } from 'fp-ts/lib/Either.js'
import type { Loaded } from '#actors/corpus-keeper/load.js'
import type {
  IndexReading,
  RebuildOutcome,
  TranscriptIndexMessage,
  TranscriptIndexPorts,
} from '#actors/transcript-index.js'
import { pathOf } from '#protocol/atoms.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import { documentVersion } from '#src/domain/search/texts/pdf-documents.js'
import { type ArchiveFile, citationsOf, dateOfLog } from '#src/domain/transcripts/archive.js'
import type { TranscriptQuestions } from '#src/domain/transcripts/questions.js'
import { ask, type Ref, tell } from '#src/kernel/actor/ref.js'
import { askTrouble } from '#src/kernel/ask-trouble.js'
import type { Log } from '#src/node/records/records.js'
import type { TreeSource } from '#src/ports/git.js'
import type { Host, Thread } from '#src/ports/host.js'
import type { TranscriptIndex } from '#src/ports/transcripts.js'
import type { Cell } from '#src/snapshot/cell.js'
import type { NodeSearch } from '../search/search.js'
import type { SearchExchange } from '../search/tier-asker.js'
import type { AskedOfIndex, FromIndex, OpenIndexThread, SentLog, ToIndex } from './threads/messages.js'

/** The transcripts of a node: the ports of the actor of their index, and the index as rows ask it. */
export interface NodeTranscripts {
  readonly ports: TranscriptIndexPorts
  readonly index: TranscriptIndex
  /** What speech has in `GET /search/index`. */
  readonly reading: () => IndexReading | null
  readonly mentions: MentionThread
}

/** What the thread of the index does for the index of mentions. */
export interface MentionThread {
  /** Whether the index has what the snapshot has. */
  readonly isCurrent: () => boolean
  /** Makes the artifact in the thread; null where the index does not answer, or changes meanwhile. */
  readonly make: () => Promise<Uint8Array | null>
  /** Gives the artifact to this thread and to those after it. */
  readonly take: (bytes: Uint8Array) => void
  /** Calls back after each change of the index. */
  readonly watch: (changed: () => void) => void
}

export interface TranscriptSources {
  readonly held: Cell<Loaded>
  /** The tree that has the archive. */
  readonly source: TreeSource
  /** The folder of the state area. */
  readonly state: string
  readonly open: OpenIndexThread
  readonly actor: Ref<TranscriptIndexMessage>
  /** Where the speech tier is asked; null where the configuration has it off. */
  readonly exchange: Pick<SearchExchange, 'connect' | 'disconnect' | 'setState'> | null
  readonly log: Pick<Log, 'warn' | 'info'>
}

/** Opens the transcripts of a node. Starts no thread: that does the actor. */
export const nodeTranscripts = (sources: TranscriptSources): NodeTranscripts => {
  const { held, actor, exchange, log } = sources
  let running: IndexThread | null = null
  let reading: IndexReading | null = null
  let isClosed = false
  held.watch(() => {
    if (!isClosed) void tell(actor, { _tag: 'Changed' })
  })
  const live = (): IndexThread | null => (reading === null ? null : running)
  const mentions = mentionThread(held, live, () => running)
  const drop = (): void => {
    const one = running
    running = null
    if (one === null) return
    exchange?.disconnect('speech', one.connect)
    one.end()
  }
  const publish = (now: IndexReading | null): void => {
    const isNew = reading === null
    reading = now
    mentions.changed()
    if (exchange === null) return
    if (now === null || running === null) {
      exchange.setState('speech', { _tag: 'Starting' })
      return
    }
    const state = { _tag: 'Live', engine: 'fts5', stamp: now.stamp, documents: now.lines } as const
    if (isNew) exchange.connect('speech', running.connect, state)
    else exchange.setState('speech', state)
  }
  const at = (thread: number, act: (one: IndexThread) => void): void => {
    if (running?.number === thread) act(running)
  }
  return {
    reading: () => reading,
    mentions: mentions.thread,
    ports: {
      reset: drop,
      start: thread => {
        drop()
        running = startThread(sources, thread)
        mentions.started(running)
      },
      feed: (thread, isFresh) => at(thread, one => void feedThread(sources, one, isFresh)),
      publish,
      note: (during, reason) => log.warn('transcript_index_trouble', { during, reason }),
      close: () => {
        isClosed = true
        drop()
      },
    },
    index: {
      ask: (name, question) => askIndex(live(), name, question),
      rebuild: () => rebuildThrough(actor),
      reading: () => reading,
    },
  }
}

/** The index of mentions on the thread. Each new thread is given the last artifact. */
const mentionThread = (
  held: Cell<Loaded>,
  live: () => IndexThread | null,
  running: () => IndexThread | null,
) => {
  let artifact: Uint8Array | null = null
  const watchers: Array<() => void> = []
  const thread: MentionThread = {
    isCurrent: () => {
      const loaded = held.get()
      return loaded !== null && live()?.reading.stamp === stampOf(contentOf(loaded))
    },
    make: async () => {
      const made = await live()?.makeMentions()
      return made?._tag === 'Answered' && made.answer instanceof Uint8Array ? made.answer : null
    },
    take: bytes => {
      artifact = bytes
      running()?.post({ _tag: 'TakeMentions', bytes })
    },
    watch: changed => void watchers.push(changed),
  }
  return {
    thread,
    /** Called with each new thread. */
    started: (one: IndexThread): void => {
      if (artifact !== null) one.post({ _tag: 'TakeMentions', bytes: artifact })
    },
    /** Called when the index has other content. */
    changed: (): void => {
      for (const changed of watchers) changed()
    },
  }
}

/** What the rows of the search need of a host whose speech tier this index ranks. */
export const searchWithSpeech = ({
  search,
  transcripts,
}: {
  readonly search: NodeSearch
  readonly transcripts: NodeTranscripts
}): Pick<Host, 'searchReadings' | 'rebuildSearch'> => ({
  searchReadings: () =>
    search.threads.readings().map(one => {
      if (one.tier !== 'speech' || search.asker.states().speech._tag === 'Disabled') return one
      const reading = transcripts.reading()
      return reading === null
        ? { ...one, state: 'starting' }
        : { ...one, state: 'live', engine: 'fts5', stamp: reading.stamp, documents: reading.lines }
    }),
  rebuildSearch: async () => {
    const rebuilt = await search.rebuild()
    if (isLeft(rebuilt) || search.asker.states().speech._tag === 'Disabled') return rebuilt
    const speech = await transcripts.index.rebuild()
    return isLeft(speech) ? speech : right({ tiers: [...rebuilt.right.tiers, 'speech'] })
  },
})

/** Questions of one name, and what waits for their answers. */
interface IndexThread {
  readonly number: number
  readonly post: Thread<ToIndex>['post']
  readonly end: () => void
  readonly connect: (port: MessagePort) => void
  readonly ask: (asked: AskedOfIndex) => Promise<IndexAnswer>
  readonly makeMentions: () => Promise<IndexAnswer>
  /** Resolves with the next `Taken`, and once the thread has ended. */
  readonly taken: () => Promise<void>
  /** What the index of the thread has. */
  versions: ReadonlyMap<string, string>
  reading: IndexReading
  readonly isOver: () => boolean
}

type IndexAnswer =
  | { readonly _tag: 'Answered'; readonly answer: unknown }
  | { readonly _tag: 'Failed'; readonly reason: string }

/** A question that has no answer by then has failed. */
const lateMs = 20_000

/** How long the index of mentions may take. */
const makeMentionsMs = 600_000

/** How long a rebuild may take. */
const rebuildMs = 3_600_000

/** Transcripts that are sent at a time. */
const logsPerPut = 16

const lemmasPerTurn = 2_000

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Questions that have no answer yet. */
const openQuestions = () => {
  const waiting = new Map<number, (answer: IndexAnswer) => void>()
  let last = 0
  const settle = (id: number, answer: IndexAnswer): void => {
    waiting.get(id)?.(answer)
    waiting.delete(id)
  }
  return {
    settle,
    /** Resolves with the answer to the message that `send` posts, and where it is late. */
    ask: (send: (id: number) => void, withinMs: number): Promise<IndexAnswer> =>
      new Promise(resolve => {
        last += 1
        const id = last
        const timer = setTimeout(() => settle(id, { _tag: 'Failed', reason: 'it was too slow' }), withinMs)
        timer.unref()
        waiting.set(id, answer => {
          clearTimeout(timer)
          resolve(answer)
        })
        send(id)
      }),
    fail: (reason: string): void => {
      for (const answered of waiting.values()) answered({ _tag: 'Failed', reason })
      waiting.clear()
    },
  }
}

/** Takes what the index of a thread has after a change. */
const takeReading = (
  one: IndexThread,
  {
    stamp,
    lines,
    versions,
  }: Pick<Extract<FromIndex, { readonly _tag: 'Fed' }>, 'stamp' | 'lines' | 'versions'>,
): IndexReading => {
  one.versions = new Map(versions)
  one.reading = { stamp, lines, logs: versions.length }
  return one.reading
}

/** Passes on what the thread says. */
const hear = (
  { actor, held, log }: TranscriptSources,
  one: IndexThread,
  message: Extract<FromIndex, { readonly _tag: 'Opened' | 'Fed' }>,
): void => {
  const reading = takeReading(one, message)
  const thread = one.number
  if (message._tag === 'Opened') {
    const { isSaved, trouble } = message
    const hasContent = held.get() !== null
    return void tell(actor, {
      _tag: 'Opened',
      thread,
      reading: isSaved ? reading : null,
      trouble,
      hasContent,
    })
  }
  const { unparsed, isWorn } = message
  if (unparsed.length > 0)
    log.warn('transcripts_unparsed', { count: unparsed.length, first: unparsed.slice(0, 5).join(' ') })
  void tell(actor, { _tag: 'Fed', thread, reading, isWorn })
}

/** Starts the thread and has it open the saved index. */
const startThread = (sources: TranscriptSources, number: number): IndexThread => {
  const { actor, open, state } = sources
  const questions = openQuestions()
  let onTaken = (): void => undefined
  let isOver = false
  const over = (reason: string): void => {
    isOver = true
    onTaken()
    questions.fail(reason)
  }
  const heard = (message: FromIndex): void => {
    if (message._tag === 'Taken') onTaken()
    else if (message._tag === 'Answer')
      questions.settle(message.id, { _tag: 'Answered', answer: message.answer })
    else if (message._tag === 'AnswerFailed')
      questions.settle(message.id, { _tag: 'Failed', reason: message.reason })
    else if (message._tag === 'Mentions')
      questions.settle(message.id, { _tag: 'Answered', answer: message.bytes })
    else hear(sources, one, message)
  }
  const thread = open({
    said: message => {
      if (!isOver) heard(message)
    },
    ended: (how, error) => {
      if (isOver) return
      const reason = `its thread ended (${how}${error instanceof Error ? `: ${error.message}` : ''})`
      over(reason)
      void tell(actor, { _tag: 'Ended', thread: number, reason })
    },
  })
  const one: IndexThread = {
    number,
    post: thread.post,
    end: () => {
      over('the thread was stopped')
      thread.end()
    },
    connect: port => thread.post({ _tag: 'Connect', port }, [port]),
    ask: asked => questions.ask(id => thread.post({ _tag: 'Ask', id, asked }), lateMs),
    makeMentions: () => questions.ask(id => thread.post({ _tag: 'MakeMentions', id }), makeMentionsMs),
    taken: () =>
      new Promise(resolve => {
        onTaken = resolve
        if (isOver) resolve()
      }),
    versions: new Map(),
    reading: { stamp: '', lines: 0, logs: 0 },
    isOver: () => isOver,
  }
  const folder = join(state, 'transcripts')
  thread.post({ _tag: 'Open', path: join(folder, 'index.db') })
  return one
}

/** The transcripts of a snapshot as they are to be indexed, without their bytes. */
const contentOf = ({
  build,
  inputs,
  lore,
}: Loaded): ReadonlyMap<string, Omit<SentLog, 'sidecar' | 'text'>> => {
  const { archive, sessions } = build.snapshot
  const lemmas = (inputs.language === null ? lore.get('jezyk/lematy.tsv')?.source : inputs.language.lemmas)
    ?.blob
  const cited = citationsOf(sessions)
  return new Map(
    [...archive].map(([name, { text, sidecar }]) => {
      const date = dateOfLog(cited, name)
      const address = cited.get(name)?.address ?? ''
      const version = [
        documentVersion,
        text.blob,
        sidecar?.blob ?? '',
        lemmas ?? '',
        ...[date.header, date.title, date.day, date.dayEnd].map(one => one ?? ''),
      ].join('\0')
      return [name, { ...date, name, version, address, blob: text.blob, path: text.path }]
    }),
  )
}

const readFile = async (source: TreeSource, file: ArchiveFile | null): Promise<Buffer | null> => {
  const path = file === null ? null : pathOf(file.path)
  return file === null || path === null ? null : source.read({ ...file, path })
}

/** Names all that the index holds. */
const stampOf = (wanted: ReturnType<typeof contentOf>): string => {
  const hash = createHash('sha256')
  for (const { name, version } of wanted.values()) hash.update(`${name}\0${version}\n`)
  return hash.digest('hex').slice(0, 40)
}

/** Sends what changed since the index of the thread. Reports where it cannot be read. */
const feedThread = async (sources: TranscriptSources, one: IndexThread, isFresh: boolean): Promise<void> => {
  const { actor, held } = sources
  try {
    const loaded = held.get()
    if (loaded === null) throw new Error('no snapshot is loaded')
    await sendChanges(sources, one, loaded, isFresh)
  } catch (error) {
    if (!one.isOver()) void tell(actor, { _tag: 'FeedFailed', thread: one.number, reason: reasonOf(error) })
  }
}

const sendChanges = async (
  { actor, source }: Pick<TranscriptSources, 'actor' | 'source'>,
  one: IndexThread,
  loaded: Loaded,
  isFresh: boolean,
): Promise<void> => {
  const wanted = contentOf(loaded)
  const has = isFresh ? new Map<string, string>() : one.versions
  const dropped = [...has.keys()].filter(name => !wanted.has(name))
  const changed = [...wanted.values()].filter(({ name, version }) => has.get(name) !== version)
  const { archive, language } = loaded.build.snapshot
  const stamp = stampOf(wanted)
  if (!isFresh && dropped.length === 0 && changed.length === 0)
    return void tell(actor, { _tag: 'Fed', thread: one.number, reading: one.reading, isWorn: false })
  one.post({ _tag: 'Begin', isFresh })
  const lemmas = changed.length === 0 ? [] : [...language.data.lemmas]
  for (let at = 0; at < lemmas.length; at += lemmasPerTurn)
    one.post({ _tag: 'Lemmas', lemmas: lemmas.slice(at, at + lemmasPerTurn) })
  for (let at = 0; at < changed.length && !one.isOver(); at += logsPerPut) {
    const logs = await Promise.all(
      changed.slice(at, at + logsPerPut).map(async log => {
        const { text = null, sidecar = null } = archive.get(log.name) ?? {}
        return sidecar === null
          ? { ...log, sidecar: null, text: await readFile(source, text) }
          : { ...log, sidecar: await readFile(source, sidecar), text: null }
      }),
    )
    if (one.isOver()) return
    const taken = one.taken()
    one.post({ _tag: 'Put', logs })
    await taken
  }
  if (!one.isOver()) one.post({ _tag: 'Finish', dropped, stamp })
}

/** Both ends are of one build, so the answer of a question has its type. */
const isAnswerTo = <Name extends keyof TranscriptQuestions>(
  _name: Name,
  answer: unknown,
): answer is TranscriptQuestions[Name]['answer'] => answer !== undefined

const askedOf = <Name extends keyof TranscriptQuestions>(
  name: Name,
  question: TranscriptQuestions[Name]['question'],
): unknown => ({ name, question })

const isAsked = (u: unknown): u is AskedOfIndex => typeof u === 'object' && u !== null && 'name' in u

const askIndex = async <Name extends keyof TranscriptQuestions>(
  thread: IndexThread | null,
  name: Name,
  question: TranscriptQuestions[Name]['question'],
): ReturnType<TranscriptIndex['ask']> => {
  const asked = askedOf(name, question)
  if (thread === null || !isAsked(asked)) return left(refuse('Starting', starting))
  const answered = await thread.ask(asked)
  return answered._tag === 'Answered' && isAnswerTo(name, answered.answer)
    ? right(answered.answer)
    : left(refuse('Overloaded', busy))
}

const starting = 'The index of transcripts is not built yet. Try again after the seconds of Retry-After.'
const busy =
  'The index of transcripts was too slow or is being restarted. Try again after the seconds of Retry-After.'

const rebuildThrough = async (actor: Ref<TranscriptIndexMessage>): ReturnType<TranscriptIndex['rebuild']> => {
  const outcome = await ask<TranscriptIndexMessage, RebuildOutcome>(
    actor,
    replyTo => ({ _tag: 'Rebuild', replyTo }),
    rebuildMs,
  )
  if (isLeft(outcome))
    return left(notRebuilt(`${askTrouble('the transcript index', outcome.left)}. Try again.`))
  return outcome.right._tag === 'Rebuilt'
    ? right(outcome.right.reading)
    : left(
        notRebuilt(
          `A new index could not be built (${outcome.right.reason}); the last one answers. ` +
            'The log of the host says why.',
        ),
      )
}

const notRebuilt = (detail: string): RefusalOf<'Overloaded'> => refuse('Overloaded', detail)
