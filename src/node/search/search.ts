import { join } from 'node:path'
import { isLeft, left, right } from 'fp-ts/lib/Either.js'
import type { RebuildEnd, SearchTierMessage, SearchTierPorts } from '#actors/search-tier.js'
import { type Tier, tiers } from '#protocol/atoms.js'
import type { Config } from '#protocol/host/config.js'
import type { TroubleCause, TroubleDuring } from '#protocol/lore/search.js'
import { refuse } from '#protocol/refusal.js'
import { type PackedDocument, packDocument } from '#src/adapters/search/wink-file.js'
import { tiersOfConfig } from '#src/domain/search/query.js'
import type { RankAnswer, SearchAsker, TierReading, TierTrouble } from '#src/domain/search/search-page.js'
import type { TierTexts } from '#src/domain/search/texts/lemma-sidecar.js'
import { ask, type Ref, tell } from '#src/kernel/actor/ref.js'
import { askTrouble } from '#src/kernel/ask-trouble.js'
import { type Cancel, type KernelClock, realClock } from '#src/kernel/time/clock.js'
import { nextLoopTurn } from '#src/kernel/time/loop-turn.js'
import type { RebuildSearch, Thread, ThreadEnd } from '#src/ports/host.js'
import type { Meter } from '#src/ports/records.js'
import { type DocumentPort, emptyDocuments, type TierContent } from '../../domain/search/document.js'
import type { Log } from '../records/records.js'
import type { Checkout } from '../start/checkout.js'
import type { FromRanker, LoadedIndex, OpenSearchThreads, ToBuilder, ToRanker } from './threads/messages.js'
import { type SearchExchange, searchExchange, tierAsker } from './tier-asker.js'

/** The search of a node: its threads, and the asker of the main thread. */
export interface NodeSearch {
  readonly desk: SearchDesk
  readonly asker: SearchAsker
  readonly rebuild: RebuildSearch
}

/** Makes the search of a node. Starts nothing: that does its actor. */
export const nodeSearch = (setup: NodeSearchSetup): NodeSearch => {
  const { checkout, config, documents = emptyDocuments, log, meter, open, tier } = setup
  const tiers = tiersOfConfig(config['server.search_index'])
  const desk = searchDesk({
    tiers,
    folder: join(checkout.state, 'search'),
    documents,
    open,
    tell: message => void tell(tier, message),
    clock: realClock,
    meter,
    log,
  })
  const asker = tierAsker()
  desk.exchange.join(asker.notice)
  return { desk, asker: withMeter(asker, meter), rebuild: rebuildThrough(tier, tiers) }
}

/** The threads of the search tiers: their actor starts and ends them, and askers get lines to them. */
export interface SearchDesk extends SearchTierPorts {
  readonly exchange: SearchExchange
  /** Every tier, in their order. */
  readonly readings: () => ReadonlyArray<TierReading>
  /** Resolves when each tier has loaded its saved index or cannot, at the latest after `atMostMs`. */
  readonly savedLoaded: (atMostMs: number) => Promise<void>
}

/** Runs the threads of the tiers; see `SearchDesk`. */
export const searchDesk = ({ tiers: configured, documents, ...setup }: SearchDeskSetup): SearchDesk => {
  const slots = new Map<Tier, DeskSlot>()
  const onSettled = new Set<() => void>()
  let isClosed = false
  const exchange = searchExchange(configured)
  const context: DeskContext = {
    ...setup,
    exchange,
    settled: () => {
      for (const check of onSettled) check()
    },
  }
  for (const tier of configured) {
    const port = documents(tier)
    port.watch(() => {
      if (!isClosed) setup.tell({ _tag: 'Changed', tier })
    })
    slots.set(tier, deskSlot(tier, port))
  }
  const at = (tier: Tier, act: (slot: DeskSlot) => void): void => {
    const slot = slots.get(tier)
    if (slot !== undefined) act(slot)
  }
  const reset = (): Promise<void> => {
    for (const slot of slots.values()) resetSlot(slot, exchange)
    return Promise.resolve()
  }
  return {
    exchange,
    reset,
    close: () => {
      isClosed = true
      return reset()
    },
    start: (tier, ranker) => at(tier, slot => startRanker(context, slot, ranker)),
    stop: (tier, ranker) =>
      at(tier, slot => {
        const one = slot.rankers.get(ranker)
        if (one !== undefined) dropRanker(one)
      }),
    feed: (tier, ranker) => at(tier, slot => feedRanker(context, slot, ranker)),
    promote: (tier, ranker) => at(tier, slot => promoteRanker(context, slot, ranker)),
    build: (tier, build, isFresh) => at(tier, slot => runBuild(context, slot, build, isFresh)),
    readings: () => tiers.map(tier => readingOf(tier, slots.get(tier))),
    savedLoaded: atMostMs =>
      new Promise(resolve => {
        const done = (): void => {
          onSettled.delete(check)
          cancel()
          resolve()
        }
        const check = (): void => {
          if ([...slots.values()].every(({ isSettled }) => isSettled)) done()
        }
        const cancel = setup.clock.after(atMostMs, done)
        onSettled.add(check)
        check()
      }),
  }
}

interface NodeSearchSetup {
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

interface SearchDeskSetup extends Omit<DeskContext, 'exchange' | 'settled'> {
  /** The tiers that the configuration turns on. */
  readonly tiers: ReadonlyArray<Tier>
  readonly documents: (tier: Tier) => DocumentPort
}

const readingOf = (tier: Tier, slot: DeskSlot | undefined): TierReading => {
  const now = slot === undefined ? undefined : answeringOf(slot)
  return {
    tier,
    state: slot === undefined ? 'disabled' : now === undefined ? 'starting' : 'live',
    isBuilding: slot !== undefined && slot.run !== null,
    engine: now?.loaded?.engine ?? null,
    stamp: now?.stamp ?? null,
    documents: now?.documents ?? 0,
    changes: now?.changes ?? 0,
    trouble: slot?.trouble ?? null,
  }
}

const resetSlot = (slot: DeskSlot, exchange: SearchExchange): void => {
  for (const one of slot.rankers.values()) dropRanker(one)
  slot.rankers.clear()
  slot.run?.abandon()
  slot.answering = null
  exchange.disconnect(slot.tier)
}

/** A thread that ranks, as the main thread sees it. */
interface Ranker {
  readonly thread: Thread<ToRanker>
  readonly number: number
  /** What the thread loaded; null before. */
  loaded: LoadedIndex | null
  /** The versions of the sources in the main part, and in the index with its changes. */
  main: Versions
  held: Versions
  stamp: string
  documents: number
  changes: number
  /** Whether the last changes were too many for the thread. */
  isBehind: boolean
  /** False once the thread was ended or retired: it is not heard any more. */
  isWanted: boolean
  /** Takes back the end of a retired thread. */
  retired: Cancel | null
}

/** A build that runs. */
interface BuildRun {
  /** Ends its thread; nothing is reported. */
  readonly abandon: () => void
}

/** One tier at the desk. */
interface DeskSlot {
  readonly tier: Tier
  readonly port: DocumentPort
  readonly rankers: Map<number, Ranker>
  /** The number of the thread that answers. */
  answering: number | null
  run: BuildRun | null
  trouble: TierTrouble | null
  /** Whether the saved index was loaded since the start, or cannot be. */
  isSettled: boolean
}

/** What the desk works with. */
interface DeskContext {
  /** Where indexes are saved; the first build makes it. */
  readonly folder: string
  readonly open: OpenSearchThreads
  readonly tell: (message: SearchTierMessage) => void
  readonly clock: KernelClock
  readonly meter: Meter
  readonly log: Pick<Log, 'warn'>
  readonly exchange: SearchExchange
  /** Called when a slot settles. */
  readonly settled: () => void
}

const deskSlot = (tier: Tier, port: DocumentPort): DeskSlot => ({
  tier,
  port,
  rankers: new Map(),
  answering: null,
  run: null,
  trouble: null,
  isSettled: false,
})

const answeringOf = (slot: DeskSlot): Ranker | undefined =>
  slot.answering === null ? undefined : slot.rankers.get(slot.answering)

const settleSlot = (context: DeskContext, slot: DeskSlot): void => {
  slot.isSettled = true
  context.settled()
}

/** Why something could not be used; the reason is for the log alone, since it may name folders of the host. */
interface Trouble {
  readonly cause: TroubleCause
  readonly reason: string
}

/** Remembers and reports what could not be used. */
const noteTrouble = (
  { clock, log, meter }: DeskContext,
  slot: DeskSlot,
  during: TroubleDuring,
  { cause, reason }: Trouble,
): void => {
  slot.trouble = { atMs: clock.nowMs(), during, cause }
  meter.count('svc_search_troubles_total', { tier: slot.tier, during })
  log.warn('search_trouble', { tier: slot.tier, during, cause, reason })
}

const describeEnd = (how: ThreadEnd, error: unknown): Trouble => ({
  cause: how === 'memory' ? 'memory' : 'ended',
  reason: `its thread ended (${how}${error instanceof Error ? `: ${error.message}` : ''})`,
})

/** More changed documents than this, in proportion to the tier, are merged in the background. */
const mergeAt = (documents: number): number => 256 + documents * 0.02

/** More changed documents than this wait for the merge: a thread gets none of them. */
const behindAt = (documents: number): number => 8 * mergeAt(documents)

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

/** How long a thread that was replaced may take over its last answers. */
const retireMs = 10_000

const sendChanges = async (slot: DeskSlot, one: Ranker): Promise<void> => {
  const nothing: ToRanker = { _tag: 'Change', dropped: [], added: [], stamp: one.stamp }
  const content = slot.port.current()
  if (content === null) return one.thread.post(nothing)
  const { gone, changed } = sourceChanges(one.held, content)
  const added = changed.length === 0 ? [] : await readChanged(content, changed, behindAt(one.documents))
  one.isBehind = added === null
  if (added === null) {
    one.held = new Map([...one.held].filter(([source]) => content.sources.has(source)))
    return one.thread.post({ ...nothing, dropped: gone })
  }
  one.held = content.sources
  one.thread.post({ _tag: 'Change', dropped: [...gone, ...changed], added, stamp: content.stamp })
}

/** Sends a thread what changed since its index; it reports in any case. A source that is gone is dropped at once. */
const feedRanker = (context: DeskContext, slot: DeskSlot, number: number): void => {
  const one = slot.rankers.get(number)
  if (one === undefined) return
  sendChanges(slot, one).catch((error: unknown) => {
    const during = slot.answering === number ? 'ranking' : 'loading'
    noteTrouble(context, slot, during, { cause: 'failed', reason: String(error) })
    one.thread.end()
  })
}

/** Lets a thread answer from now on; the one before ends once it has answered what it was asked. */
const promoteRanker = (context: DeskContext, slot: DeskSlot, number: number): void => {
  const one = slot.rankers.get(number)
  if (one === undefined || one.loaded === null) return
  const before = answeringOf(slot)
  slot.answering = number
  const { engine } = one.loaded
  const { stamp, documents, thread } = one
  context.meter.gauge('svc_search_documents', { tier: slot.tier }, documents)
  context.exchange.connect(slot.tier, port => thread.post({ _tag: 'Connect', port }, [port]), {
    _tag: 'Live',
    engine,
    stamp,
    documents,
  })
  settleSlot(context, slot)
  if (before === undefined) return
  before.isWanted = false
  before.thread.post({ _tag: 'Retire' })
  before.retired = context.clock.after(retireMs, () => before.thread.end())
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

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

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

/** Sends a builder all that it needs. Returns false where the content is not known yet. */
const sendBuild = async (
  { folder }: DeskContext,
  slot: DeskSlot,
  builder: Builder,
  isFresh: boolean,
): Promise<boolean> => {
  const content = slot.port.current()
  if (content === null) return false
  const answering = isFresh ? undefined : answeringOf(slot)
  const base = answering?.loaded?.file ?? null
  const main: Versions = answering?.main ?? new Map()
  const { gone, changed } = sourceChanges(main, content)
  const { stamp, sources } = content
  const dropped = [...gone, ...changed]
  const versions = [...sources]
  builder.post({ _tag: 'Build', order: { folder, tier: slot.tier, base, dropped, stamp, versions } })
  if (changed.length > 0)
    await (content.texts === null
      ? sendDocuments(builder, content, changed)
      : sendTexts(builder, content.texts, changed))
  if (builder.isOver()) return true
  builder.post({ _tag: 'Finish' })
  return true
}

/** Runs a build in a thread of its own, which ends with it: from nothing, or from what the answering index holds. */
const runBuild = (context: DeskContext, slot: DeskSlot, build: number, isFresh: boolean): void => {
  const { clock, meter, open, tell } = context
  const { tier } = slot
  const sinceMs = clock.monotonicMs()
  let isOver = false
  let onTaken = (): void => undefined
  const end = (): void => {
    isOver = true
    onTaken()
    slot.run = null
    builder.end()
  }
  const over = (result: 'built' | 'failed' | 'early', message: SearchTierMessage): void => {
    if (isOver) return
    end()
    meter.count('svc_search_builds_total', { tier, result })
    meter.observe('svc_search_build_seconds', { tier }, (clock.monotonicMs() - sinceMs) / 1000)
    tell(message)
  }
  const fail = (trouble: Trouble): void => {
    if (!isOver) noteTrouble(context, slot, 'building', trouble)
    over('failed', { _tag: 'BuildFailed', tier, build, reason: trouble.cause, isEarly: false })
  }
  const builder = open.builder({
    said: message => {
      if (message._tag === 'Taken') return onTaken()
      if (message._tag === 'Built') return over('built', { _tag: 'Built', tier, build })
      return fail(message)
    },
    ended: (how, error) => fail(describeEnd(how, error)),
  })
  slot.run = { abandon: end }
  const taken = (): Promise<void> =>
    new Promise(resolve => {
      onTaken = resolve
      if (isOver) resolve()
    })
  sendBuild(context, slot, { post: builder.post, taken, isOver: () => isOver }, isFresh).then(
    isSent => {
      if (isSent) return
      over('early', { _tag: 'BuildFailed', tier, build, reason: 'early', isEarly: true })
    },
    (error: unknown) => fail({ cause: 'failed', reason: reasonOf(error) }),
  )
}

/** Tells the askers and the metrics what the answering thread of a tier has now. */
const publishTier = ({ exchange, meter }: DeskContext, slot: DeskSlot): void => {
  const now = answeringOf(slot)
  if (now === undefined || now.loaded === null) return
  const { engine } = now.loaded
  const { stamp, documents } = now
  meter.gauge('svc_search_documents', { tier: slot.tier }, documents)
  exchange.setState(slot.tier, { _tag: 'Live', engine, stamp, documents })
}

const onMessage = (context: DeskContext, slot: DeskSlot, one: Ranker, message: FromRanker): void => {
  const { tier } = slot
  const { number: ranker } = one
  switch (message._tag) {
    case 'Loaded':
      one.loaded = message
      one.main = new Map(message.versions)
      one.held = one.main
      one.stamp = message.stamp
      one.documents = message.documents
      return context.tell({ _tag: 'Loaded', tier, ranker })
    case 'Absent':
      if (message.reason !== null)
        noteTrouble(context, slot, 'loading', { cause: 'damaged', reason: message.reason })
      if (slot.answering === null) context.exchange.setState(tier, { _tag: 'Starting' })
      settleSlot(context, slot)
      return context.tell({ _tag: 'Absent', tier, ranker })
    case 'Applied': {
      one.stamp = message.stamp
      one.documents = message.documents
      one.changes = message.changes
      if (slot.answering === ranker) publishTier(context, slot)
      const isLarge = message.changes > mergeAt(message.documents)
      return context.tell({ _tag: 'Fed', tier, ranker, isBehind: one.isBehind, isLarge })
    }
  }
}

const onEnd = (context: DeskContext, slot: DeskSlot, one: Ranker, how: ThreadEnd, error: unknown): void => {
  const { number: ranker } = one
  if (slot.rankers.get(ranker) === one) slot.rankers.delete(ranker)
  one.retired?.()
  if (!one.isWanted) return
  one.isWanted = false
  noteTrouble(context, slot, slot.answering === ranker ? 'ranking' : 'loading', describeEnd(how, error))
  if (slot.answering === ranker) {
    slot.answering = null
    context.exchange.disconnect(slot.tier)
  }
  settleSlot(context, slot)
  context.tell({ _tag: 'RankerEnded', tier: slot.tier, ranker })
}

/** Starts a thread that loads the saved index of a tier. */
const startRanker = (context: DeskContext, slot: DeskSlot, number: number): void => {
  const { clock, folder, meter, open } = context
  const { tier } = slot
  const sinceMs = clock.monotonicMs()
  const thread = open.ranker({
    said: message => {
      if (!one.isWanted) return
      if (message._tag === 'Loaded')
        meter.observe('svc_search_load_seconds', { tier }, (clock.monotonicMs() - sinceMs) / 1000)
      onMessage(context, slot, one, message)
    },
    ended: (how, error) => onEnd(context, slot, one, how, error),
  })
  const one: Ranker = {
    thread,
    number,
    loaded: null,
    main: new Map(),
    held: new Map(),
    stamp: '',
    documents: 0,
    changes: 0,
    isBehind: false,
    isWanted: true,
    retired: null,
  }
  slot.rankers.set(number, one)
  thread.post({ _tag: 'Load', folder, tier })
}

/** Ends a thread without a report. */
const dropRanker = (one: Ranker): void => {
  one.isWanted = false
  one.thread.end()
}
