import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { MessagePort } from 'node:worker_threads'
import { type RebuildEnd, type SearchTierMessage, searchTier } from '#actors/search-tier.js'
import type { Tier } from '#protocol/atoms.js'
import type { RankedHit } from '#src/domain/search/ranking.js'
import type { TierReading } from '#src/domain/search/search-page.js'
import { ask, type Ref, tell } from '#src/kernel/actor/ref.js'
import { openKernel } from '#src/kernel/kernel.js'
import { realClock } from '#src/kernel/time/clock.js'
import { type SearchThreads, searchThreads } from '#src/node/search/search.js'
import type { OpenSearchThreads, ToBuilder, ToRanker } from '#src/node/search/threads/messages.js'
import { type TierAsker, tierAsker } from '#src/node/search/tier-asker.js'
import type { OpenThread } from '#src/ports/host.js'
import { eventually } from '#test/support/daemon.js'
import { noMeter } from '#test/support/no-meter.js'
import { questionOf } from './documents.js'
import { type MemoryDocuments, memoryDocuments } from './memory-documents.js'
import { searchThreads as openThreads } from './search-threads.js'

/** What happens to a message on its way to a thread: it passes, it is lost, or its thread ends in its place, with the lines that were lost. */
export type MessageFate = 'pass' | 'lose' | 'end'

/** Decides the fate of each message to a search thread. */
export type Intercept = (message: ToRanker | ToBuilder) => MessageFate

export interface SearchRig {
  readonly folder: string
  readonly threads: SearchThreads
  readonly asker: TierAsker
  readonly documents: MemoryDocuments
  /** Replaces what decides the fate of messages. */
  readonly intercept: (next: Intercept) => void
  readonly reading: () => TierReading
  /** Waits for a state of the tier. */
  readonly until: (is: (reading: TierReading) => boolean) => Promise<TierReading>
  /** Waits until the index holds the newest content. */
  readonly current: () => Promise<TierReading>
  readonly find: (text: string) => Promise<ReadonlyArray<RankedHit>>
  readonly ids: (text: string) => Promise<ReadonlyArray<string>>
  readonly rebuild: () => Promise<RebuildEnd>
  /** Ends the threads; the saved indexes stay. */
  readonly close: () => Promise<void>
  readonly dispose: () => void
}

export interface SearchRigOptions {
  readonly tier?: Tier
  readonly folder?: string
  readonly documents?: MemoryDocuments
  readonly intercept?: Intercept
}

const rebuildMs = 60_000
const none = (): void => undefined

/** The search of one tier without a node: real threads and files, and documents in memory. */
export const searchRig = async (options: SearchRigOptions = {}): Promise<SearchRig> => {
  const { tier = 'lore', documents = memoryDocuments(tier) } = options
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'kronika-search-'))
  let decide: Intercept = options.intercept ?? (() => 'pass')
  const intercepted =
    <O extends ToRanker | ToBuilder, I>(open: OpenThread<O, I>): OpenThread<O, I> =>
    events => {
      const thread = open(events)
      const lost: Array<MessagePort> = []
      return {
        end: thread.end,
        post: (message, ports) => {
          const fate = decide(message)
          if (fate === 'pass') thread.post(message, ports)
          if (fate === 'lose') lost.push(...(ports ?? []))
          if (fate !== 'end') return
          thread.end()
          for (const port of lost) port.close()
        },
      }
    }
  const open: OpenSearchThreads = {
    ranker: intercepted(openThreads.ranker),
    builder: intercepted(openThreads.builder),
  }
  const kernel = openKernel({ checkMessages: true })
  const place = kernel.place(searchTier([tier]))
  const actor: Ref<SearchTierMessage> = place.ref
  const threads = searchThreads({
    tiers: [tier],
    folder,
    documents: () => documents,
    open,
    tell: message => void tell(actor, message),
    clock: realClock,
    meter: noMeter,
    log: { warn: none },
  })
  const asker = tierAsker({ lateMs: 60_000, openMax: 1_024 })
  threads.exchange.join(asker.notice)
  const tree = kernel.run(
    {
      id: 'root',
      strategy: 'one_for_one',
      restartsMax: 3,
      windowMs: 5_000,
      children: [{ id: 'search-tier', restart: 'permanent', drainMs: 1_000 }],
    },
    { 'search-tier': place.with(threads) },
    none,
  )
  await tree.ready
  const reading = (): TierReading => {
    const found = threads.readings().find(one => one.tier === tier)
    if (found === undefined) throw new Error('the tier has no reading')
    return found
  }
  const until: SearchRig['until'] = is => eventually(() => Promise.resolve(reading()), is)
  const find: SearchRig['find'] = async text => {
    const answer = await asker.rank(tier, questionOf(text))
    if (answer._tag !== 'Ranked') throw new Error(`the tier answers ${JSON.stringify(answer)}`)
    return answer.hits
  }
  return {
    folder,
    threads,
    asker,
    documents,
    intercept: next => {
      decide = next
    },
    reading,
    until,
    current: () => until(({ stamp, isBuilding }) => stamp === documents.stamp() && !isBuilding),
    find,
    ids: async text => (await find(text)).map(({ id }) => id),
    rebuild: async () => {
      const asked = await ask<SearchTierMessage, RebuildEnd>(
        actor,
        replyTo => ({ _tag: 'Rebuild', tiers: [tier], replyTo }),
        rebuildMs,
      )
      return asked._tag === 'Right' ? asked.right : asked.left._tag
    },
    close: async () => {
      asker.close()
      await tree.drain(5_000)
    },
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  }
}
