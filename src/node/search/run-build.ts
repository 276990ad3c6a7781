import type { SearchTierMessage } from '#actors/search-tier.js'
import { type PackedDocument, packDocument } from '#src/adapters/search/wink-file.js'
import type { TierContent } from '#src/domain/search/document.js'
import type { TierTexts } from '#src/domain/search/texts/lemma-sidecar.js'
import { nextLoopTurn } from '#src/kernel/time/loop-turn.js'
import type { Thread } from '#src/ports/host.js'
import { sourceChanges, type Versions } from './changes-of.js'
import {
  answeringOf,
  type DeskContext,
  type DeskSlot,
  describeEnd,
  noteTrouble,
  type Trouble,
} from './desk-slot.js'
import type { ToBuilder } from './threads/tier-messages.js'

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
export const runBuild = (context: DeskContext, slot: DeskSlot, build: number, isFresh: boolean): void => {
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
