import { join } from 'node:path'
import type { MessagePort } from 'node:worker_threads'
import { isLeft, left, right } from 'fp-ts/lib/Either.js'
import type {
  RebuildEnd,
  SearchTierMessage,
  SearchTierPorts,
  TierStanding,
  Trouble,
} from '#actors/search-tier.js'
import { type Tier, tiers } from '#protocol/atoms.js'
import type { Config } from '#protocol/host/config.js'
import { refuse } from '#protocol/refusal.js'
import { type PackedDocument, packDocument } from '#src/adapters/search/wink-file.js'
import { type DocumentPort, emptyDocuments, type TierContent } from '#src/domain/search/document.js'
import { tiersOfConfig } from '#src/domain/search/query.js'
import type { RankAnswer, SearchAsker, TierReading, TierTrouble } from '#src/domain/search/search-page.js'
import type { TierTexts } from '#src/domain/search/texts/lemma-sidecar.js'
import { ask, type Ref, tell } from '#src/kernel/actor/ref.js'
import { askTrouble } from '#src/kernel/ask-trouble.js'
import { type KernelClock, realClock } from '#src/kernel/time/clock.js'
import { nextLoopTurn } from '#src/kernel/time/loop-turn.js'
import type { RebuildSearch, Thread, ThreadEnd } from '#src/ports/host.js'
import type { Meter } from '#src/ports/records.js'
import type { Log } from '../records/records.js'
import type { Checkout } from '../start/checkout.js'
import type { FromRanker, OpenSearchThreads, ToBuilder, ToRanker } from './threads/messages.js'
import { type SearchExchange, searchExchange, tierAsker } from './tier-asker.js'

/** The search of a node: its threads, and the asker of the main thread. */
export interface NodeSearch {
  readonly threads: SearchThreads
  readonly asker: SearchAsker
  readonly rebuild: RebuildSearch
}

/** The configured tiers that the search indexes itself: speech is ranked by the index of transcripts. */
export const ownTiers = (config: Config): ReadonlyArray<Tier> =>
  tiersOfConfig(config['server.search_index']).filter(tier => tier !== 'speech')

/** Makes the search of a node. Starts nothing: that does its actor. */
export const nodeSearch = (ports: NodeSearchPorts): NodeSearch => {
  const { checkout, config, documents = emptyDocuments, log, meter, open, tier } = ports
  const tiers = ownTiers(config)
  const threads = searchThreads({
    tiers,
    elsewhere: tiersOfConfig(config['server.search_index']).filter(one => !tiers.includes(one)),
    folder: join(checkout.state, 'search'),
    documents,
    open,
    tell: message => void tell(tier, message),
    clock: realClock,
    meter,
    log,
  })
  const asker = tierAsker()
  threads.exchange.join(asker.notice)
  return { threads, asker: withMeter(asker, meter), rebuild: rebuildThrough(tier, tiers) }
}

/** The threads of the search tiers: their actor starts and ends them, and askers get lines to them. */
export interface SearchThreads extends SearchTierPorts {
  readonly exchange: SearchExchange
  /** Every tier, in their order. */
  readonly readings: () => ReadonlyArray<TierReading>
  /** Resolves when each tier has loaded its saved index or cannot, at the latest after `atMostMs`. */
  readonly savedLoaded: (atMostMs: number) => Promise<void>
}

export interface ThreadsPorts {
  /** The tiers that the configuration turns on. */
  readonly tiers: ReadonlyArray<Tier>
  /** The tiers that the configuration turns on too and another index ranks. */
  readonly elsewhere?: ReadonlyArray<Tier>
  readonly documents: (tier: Tier) => DocumentPort
  /** Where indexes are saved; the first build makes it. */
  readonly folder: string
  readonly open: OpenSearchThreads
  /** Sends the actor what happened. */
  readonly tell: (message: SearchTierMessage) => void
  readonly clock: KernelClock
  readonly meter: Meter
  readonly log: Pick<Log, 'warn'>
}

/** The threads of the tiers, none of them started. */
export const searchThreads = (ports: ThreadsPorts): SearchThreads => {
  const contents = new Map(ports.tiers.map(tier => [tier, ports.documents(tier)]))
  const rankers = new Map<number, Ranker>()
  let abandonBuild = (): void => undefined
  let isClosed = false
  for (const [tier, port] of contents)
    port.watch(() => {
      if (!isClosed) ports.tell({ _tag: 'Changed', tier })
    })
  const exchange = searchExchange([...ports.tiers, ...(ports.elsewhere ?? [])])
  const at = (number: number, act: (one: Ranker) => void): void => {
    const one = rankers.get(number)
    if (one !== undefined) act(one)
  }
  const leave = (one: Ranker): void => {
    rankers.delete(one.number)
    exchange.disconnect(one.tier, one.connect)
  }
  const drop = (one: Ranker): void => {
    one.isHeard = false
    one.thread.end()
    leave(one)
  }
  const reset = (): void => {
    for (const one of rankers.values()) drop(one)
    abandonBuild()
  }
  const contentOf = (tier: Tier): TierContent | null => contents.get(tier)?.current() ?? null
  return {
    exchange,
    ...tierStandings(ports),
    reset,
    close: () => {
      isClosed = true
      reset()
    },
    start: (tier, number) => void rankers.set(number, startRanker(ports, tier, number, leave)),
    end: (number, isReported) => at(number, one => (isReported ? one.thread.end() : drop(one))),
    feed: (number, documentsMax) =>
      at(number, one => {
        sendChanges(one, contentOf(one.tier), documentsMax).catch((error: unknown) => {
          if (one.isHeard)
            ports.tell({ _tag: 'FeedFailed', tier: one.tier, ranker: number, reason: String(error) })
        })
      }),
    connect: (number, state) => at(number, one => exchange.connect(one.tier, one.connect, state)),
    retire: number => at(number, one => one.thread.post({ _tag: 'Retire' })),
    build: (tier, build, base) => {
      const over = base === null ? undefined : rankers.get(base)
      abandonBuild = runBuild(ports, { tier, build, base: over, content: contentOf(tier) })
    },
    publish: exchange.setState,
  }
}

interface NodeSearchPorts {
  readonly config: Config
  readonly checkout: Pick<Checkout, 'state'>
  readonly open: OpenSearchThreads
  readonly tier: Ref<SearchTierMessage>
  readonly meter: Meter
  readonly log: Log
  /** Absent: no tier has documents. */
  readonly documents?: (tier: Tier) => DocumentPort
}

const tagOf = (answer: RankAnswer): string => answer._tag.toLowerCase()

const withMeter = (asker: SearchAsker, meter: Meter): SearchAsker => ({
  ...asker,
  rank: async (tier, question) => {
    const sinceMs = realClock.monotonicMs()
    const answer = await asker.rank(tier, question)
    meter.count('svc_search_questions_total', { tier, result: tagOf(answer) })
    meter.observe('svc_search_question_seconds', { tier }, (realClock.monotonicMs() - sinceMs) / 1000)
    return answer
  },
})

const noStanding: TierStanding = {
  state: 'disabled',
  isSettled: false,
  isBuilding: false,
  engine: null,
  stamp: null,
  documents: 0,
  changes: 0,
}

/** Where each tier stands, and its last trouble, as the actor shows them. */
const tierStandings = ({
  tiers: configured,
  clock,
  log,
  meter,
}: ThreadsPorts): Pick<SearchThreads, 'show' | 'note' | 'readings' | 'savedLoaded'> => {
  const standings = new Map<Tier, TierStanding>(
    configured.map(tier => [tier, { ...noStanding, state: 'starting' }]),
  )
  const troubles = new Map<Tier, TierTrouble>()
  const left = new Set(configured)
  const waiting = new Set<() => void>()
  return {
    show: (tier, standing) => {
      standings.set(tier, standing)
      if (standing.state === 'live') meter.gauge('svc_search_documents', { tier }, standing.documents)
      if (standing.isSettled) left.delete(tier)
      if (left.size === 0) for (const done of waiting) done()
    },
    note: (tier, during, { cause, reason }) => {
      troubles.set(tier, { atMs: clock.nowMs(), during, cause })
      meter.count('svc_search_troubles_total', { tier, during })
      log.warn('search_trouble', { tier, during, cause, reason })
    },
    readings: () =>
      tiers.map(tier => {
        const { isSettled: _, ...standing } = standings.get(tier) ?? noStanding
        return { tier, ...standing, trouble: troubles.get(tier) ?? null }
      }),
    savedLoaded: atMostMs =>
      new Promise(resolve => {
        const done = (): void => {
          waiting.delete(done)
          cancel()
          resolve()
        }
        const cancel = clock.after(atMostMs, done)
        waiting.add(done)
        if (left.size === 0) done()
      }),
  }
}

/** The connection to a thread that ranks. It remembers what it sent, so that it sends only changes. */
interface Ranker {
  readonly tier: Tier
  readonly number: number
  readonly thread: Thread<ToRanker>
  /** Gives the thread its end of a line. */
  readonly connect: (port: MessagePort) => void
  /** The file that it loaded; null before. */
  file: string | null
  /** The versions of the sources in the main part, and in the index with its changes. */
  main: Versions
  held: Versions
  stamp: string
  /** Whether the last changes were too many for the thread. */
  isBehind: boolean
  /** False once the thread was stopped. */
  isHeard: boolean
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const describeEnd = (how: ThreadEnd, error: unknown): Trouble => ({
  cause: how === 'memory' ? 'memory' : 'ended',
  reason: `its thread ended (${how}${error instanceof Error ? `: ${error.message}` : ''})`,
})

type Versions = ReadonlyMap<string, string>

/** The sources that differ between an index and the content. */
interface SourceChanges {
  readonly gone: ReadonlyArray<string>
  /** Also those that are new. */
  readonly changed: ReadonlyArray<string>
}

const sourceChanges = (held: Versions, { sources }: TierContent): SourceChanges => ({
  gone: [...held.keys()].filter(source => !sources.has(source)),
  changed: [...sources].flatMap(([source, version]) => (held.get(source) === version ? [] : [source])),
})

/** Reads documents of changed sources; null once there are more than `max`. */
const readChanged = async (
  content: TierContent,
  changed: ReadonlyArray<string>,
  max: number,
): Promise<ReadonlyArray<PackedDocument> | null> => {
  const read: Array<PackedDocument> = []
  for await (const documents of content.read(changed)) {
    for (const document of documents) read.push(packDocument(document))
    if (read.length > max) return null
  }
  return read
}

/** Sends a thread what changed since its index. A source that is gone is dropped at once. */
const sendChanges = async (one: Ranker, content: TierContent | null, documentsMax: number): Promise<void> => {
  const nothing: ToRanker = { _tag: 'Change', dropped: [], added: [], stamp: one.stamp }
  if (content === null) return one.thread.post(nothing)
  const { gone, changed } = sourceChanges(one.held, content)
  const added = changed.length === 0 ? [] : await readChanged(content, changed, documentsMax)
  one.isBehind = added === null
  if (added === null) {
    one.held = new Map([...one.held].filter(([source]) => content.sources.has(source)))
    return one.thread.post({ ...nothing, dropped: gone })
  }
  one.held = content.sources
  one.thread.post({ _tag: 'Change', dropped: [...gone, ...changed], added, stamp: content.stamp })
}

/** Starts a thread that loads the saved index of a tier. `left` is called when it has ended. */
const startRanker = (
  ports: ThreadsPorts,
  tier: Tier,
  number: number,
  left: (one: Ranker) => void,
): Ranker => {
  const { clock, folder, meter, open, tell } = ports
  const sinceMs = clock.monotonicMs()
  const onMessage = (message: FromRanker): void => {
    if (message._tag === 'Absent')
      return tell({ _tag: 'Absent', tier, ranker: number, reason: message.reason })
    const { stamp, documents } = message
    one.stamp = stamp
    if (message._tag === 'Applied') {
      const { changes } = message
      return tell({ _tag: 'Fed', tier, ranker: number, stamp, documents, changes, isBehind: one.isBehind })
    }
    meter.observe('svc_search_load_seconds', { tier }, (clock.monotonicMs() - sinceMs) / 1000)
    one.file = message.file
    one.main = new Map(message.versions)
    one.held = one.main
    tell({ _tag: 'Loaded', tier, ranker: number, engine: message.engine, stamp, documents })
  }
  const thread = open.ranker({
    said: message => {
      if (one.isHeard) onMessage(message)
    },
    ended: (how, error) => {
      if (!one.isHeard) return
      left(one)
      tell({ _tag: 'RankerEnded', tier, ranker: number, trouble: describeEnd(how, error) })
    },
  })
  const one: Ranker = {
    tier,
    number,
    thread,
    connect: port => thread.post({ _tag: 'Connect', port }, [port]),
    file: null,
    main: new Map(),
    held: new Map(),
    stamp: '',
    isBehind: false,
    isHeard: true,
  }
  thread.post({ _tag: 'Load', folder, tier })
  return one
}

/** Builds of all tiers may take this long. */
const rebuildMs = 3_600_000

/** Asks the search tier for new indexes of these tiers. */
const rebuildThrough =
  (actor: Ref<SearchTierMessage>, tiers: ReadonlyArray<Tier>): RebuildSearch =>
  async () => {
    const end = await ask<SearchTierMessage, RebuildEnd>(
      actor,
      replyTo => ({ _tag: 'Rebuild', tiers: [...tiers], replyTo }),
      rebuildMs,
    )
    if (isLeft(end))
      return left(refuse('Overloaded', `${askTrouble('the search tier', end.left)}. Try again.`))
    return end.right === null
      ? right({ tiers: [...tiers] })
      : left(
          refuse(
            'Overloaded',
            `A new index could not be built (${end.right}); the last one answers. The log of the host says why.`,
          ),
        )
  }

/** A thread that builds, as its build sees it. */
interface Builder {
  readonly post: Thread<ToBuilder>['post']
  /** Resolves once the thread has made the documents of the texts that it was sent last, or the build is over. */
  readonly taken: () => Promise<void>
  readonly isOver: () => boolean
}

/** Lemmas that are sent in one turn. */
const lemmasPerTurn = 2_000

/** Sends texts for the thread to make documents of, a group at a time, so that few of them are in memory twice. */
const sendTexts = async (builder: Builder, { lemmas, groups }: TierTexts, changed: ReadonlyArray<string>) => {
  const all = [...lemmas]
  for (let at = 0; at < all.length && !builder.isOver(); at += lemmasPerTurn) {
    builder.post({ _tag: 'Lemmas', lemmas: all.slice(at, at + lemmasPerTurn) })
    await nextLoopTurn()
  }
  for await (const group of groups(changed)) {
    if (builder.isOver()) return
    builder.post({ _tag: 'Cut', group })
    await builder.taken()
  }
}

const sendDocuments = async (builder: Builder, content: TierContent, changed: ReadonlyArray<string>) => {
  for await (const documents of content.read(changed)) {
    if (builder.isOver()) return
    const packed: ReadonlyArray<PackedDocument> = documents.map(packDocument)
    builder.post({ _tag: 'Add', documents: packed })
  }
}

interface Build {
  readonly tier: Tier
  readonly build: number
  /** Whose index is merged with what changed since; absent: the build is from nothing. */
  readonly base: Ranker | undefined
  /** Null while it is not known yet. */
  readonly content: TierContent | null
}

/** Sends a builder all that it needs. */
const sendBuild = async (
  folder: string,
  { tier, base }: Build,
  content: TierContent,
  builder: Builder,
): Promise<void> => {
  const { gone, changed } = sourceChanges(base?.main ?? new Map(), content)
  const { stamp, sources } = content
  const dropped = [...gone, ...changed]
  const order = { folder, tier, base: base?.file ?? null, dropped, stamp, versions: [...sources] }
  builder.post({ _tag: 'Build', order })
  if (changed.length > 0)
    await (content.texts === null
      ? sendDocuments(builder, content, changed)
      : sendTexts(builder, content.texts, changed))
  if (!builder.isOver()) builder.post({ _tag: 'Finish' })
}

/** Runs a build in a thread of its own, which ends with it. Returns a function that ends it without a report. */
const runBuild = (ports: ThreadsPorts, what: Build): (() => void) => {
  const { clock, folder, meter, open, tell } = ports
  const { tier, build, content } = what
  const sinceMs = clock.monotonicMs()
  let isOver = false
  let onTaken = (): void => undefined
  const end = (): void => {
    isOver = true
    onTaken()
    builder.end()
  }
  const over = (result: 'built' | 'failed' | 'early', message: SearchTierMessage): void => {
    if (isOver) return
    end()
    meter.count('svc_search_builds_total', { tier, result })
    meter.observe('svc_search_build_seconds', { tier }, (clock.monotonicMs() - sinceMs) / 1000)
    tell(message)
  }
  const fail = (trouble: Trouble): void => over('failed', { _tag: 'BuildFailed', tier, build, trouble })
  const builder = open.builder({
    said: message => {
      if (message._tag === 'Taken') return onTaken()
      if (message._tag === 'Built') return over('built', { _tag: 'Built', tier, build })
      return fail({ cause: message.cause, reason: message.reason })
    },
    ended: (how, error) => fail(describeEnd(how, error)),
  })
  const taken = (): Promise<void> =>
    new Promise(resolve => {
      onTaken = resolve
      if (isOver) resolve()
    })
  if (content === null) over('early', { _tag: 'BuildFailed', tier, build, trouble: null })
  else
    sendBuild(folder, what, content, { post: builder.post, taken, isOver: () => isOver }).catch(
      (error: unknown) => fail({ cause: 'failed', reason: reasonOf(error) }),
    )
  return end
}
