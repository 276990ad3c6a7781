import type { SearchTierMessage } from '#actors/search-tier/messages.js'
import { type PackedDocument, packDocument } from '#src/adapters/search/packed-document.js'
import type { Thread } from '#src/ports/thread.js'
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

/** Sends a builder all that it needs. Returns false where the content is not known yet. */
const sendBuild = async (
  { folder }: DeskContext,
  slot: DeskSlot,
  builder: Thread<ToBuilder>,
  isFresh: boolean,
  isOver: () => boolean,
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
    for await (const documents of content.read(changed)) {
      if (isOver()) return true
      const packed: ReadonlyArray<PackedDocument> = documents.map(packDocument)
      builder.post({ _tag: 'Add', documents: packed })
    }
  builder.post({ _tag: 'Finish' })
  return true
}

/** Runs a build in a thread of its own, which ends with it: from nothing, or from what the answering index holds. */
export const runBuild = (context: DeskContext, slot: DeskSlot, build: number, isFresh: boolean): void => {
  const { clock, meter, open, tell } = context
  const { tier } = slot
  const sinceMs = clock.monotonicMs()
  let isOver = false
  const end = (): void => {
    isOver = true
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
    said: message =>
      message._tag === 'Built' ? over('built', { _tag: 'Built', tier, build }) : fail(message),
    ended: (how, error) => fail(describeEnd(how, error)),
  })
  slot.run = { abandon: end }
  sendBuild(context, slot, builder, isFresh, () => isOver).then(
    isSent => {
      if (isSent) return
      over('early', { _tag: 'BuildFailed', tier, build, reason: 'early', isEarly: true })
    },
    (error: unknown) => fail({ cause: 'failed', reason: reasonOf(error) }),
  )
}
