import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { bodyInvalid, type RefusalOf } from '#protocol/refusal.js'
import { type LabelledRuling, type labelledRoutes, rulingsMax } from '#protocol/samples/labelled.js'
import type { View } from '#src/domain/callers/caller.js'
import { sessionKey } from '#src/domain/lore/session-header.js'
import { readSampleQuery, samplePageInSlices, showSample } from '#src/domain/samples/listing.js'
import { findPassage, type Passage, quotedLog } from '#src/domain/samples/passages.js'
import { isRuled, rowNamesTopics, rulingFault } from '#src/domain/samples/rulings.js'
import { bindingsOf, groupBy, type Sample } from '#src/domain/samples/samples.js'
import { type Handlers, inSlices } from '#src/http/routing/handler.js'
import type { Host } from '#src/ports/host.js'
import type { TranscriptIndex } from '#src/ports/transcripts.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { bindingOf, type ReadPassages, storeOf } from '#src/writing/samples.js'
import { sessionNotFound } from '#src/writing/sessions/baselines.js'

/** What the rows of labelled samples need of a node. */
export type LabelledNode = Pick<Host, 'transcripts'>

/**
 * Labelled samples, read and ruled (docs/spec/samples.md). Before a ruling the handler reads the passages of
 * transcripts, which the snapshot does not have; the plan uses them only for the text that they were read from.
 */
export const labelledHandlers: Handlers<typeof labelledRoutes, LabelledNode> = {
  'training.samples.list': ({ snapshot, query, caller }) => {
    const { samples, names, archive, sessions } = snapshot
    const filter = readSampleQuery(query, samples, names)
    if (isLeft(filter)) return filter
    const lore = { names, archive, sessions, readsTopics: caller.view.mayReadRestricted }
    const store = storeOf(snapshot)
    return right({
      body: inSlices(samplePageInSlices(samples, query, filter.right, lore, store)),
      // The reason is of this host alone, so no other answer may be taken for it.
      ...(store.reason === 'StoreNotWritten' ? { isPassing: true as const } : {}),
    })
  },
  'training.samples.confirm': async ({ snapshot, body, node }) => {
    const fault = rulingFault(body, '$')
    if (fault !== null) return left(bodyInvalid(`The body needs ${fault.expected} at ${fault.path}.`, fault))
    return prepare(node.transcripts, snapshot, [body.id])
  },
  'training.samplesConfirmations.add': async ({ snapshot, body, node }) => {
    const fault = batchFault(body.items)
    if (fault !== null) return left(fault)
    return prepare(
      node.transcripts,
      snapshot,
      body.items.map(({ id }) => id),
    )
  },
  'sessions.bindings.list': ({ snapshot, path, caller }) => {
    const session = snapshot.sessions.byKey.get(sessionKey(path.header))
    if (session === undefined) return left(sessionNotFound(snapshot, path.header))
    const { available, reason } = storeOf(snapshot)
    const items = shownBindings(snapshot, session.header, caller.view)
    return right({
      body: {
        header: session.header,
        available,
        ...(reason === null ? {} : { reason }),
        count: items.length,
        items: items.map(sample => showSample(sample, snapshot)),
      },
      ...(reason === 'StoreNotWritten' ? { isPassing: true as const } : {}),
    })
  },
  'sessions.bindings.set': async ({ snapshot, path, body, gate, node }) => {
    const closed = gate()
    if (closed !== null) return left(closed)
    const bound = bindingOf(snapshot, path.header, body)
    if (isLeft(bound)) return bound
    const { existing } = bound.right
    return prepare(node.transcripts, snapshot, existing === null ? [] : [existing.row.id])
  },
}

const shownBindings = (snapshot: Snapshot, header: string, view: View): ReadonlyArray<Sample> =>
  bindingsOf(snapshot.samples, header).filter(({ row }) => view.mayReadRestricted || !rowNamesTopics(row))

/** The fault of a batch that refuses it whole. */
const batchFault = (items: ReadonlyArray<LabelledRuling>): RefusalOf<'BodyInvalid'> | null => {
  if (items.length === 0 || items.length > rulingsMax) {
    const expected = `1 to ${rulingsMax} rulings`
    return bodyInvalid(`items must have ${expected}, not ${items.length}.`, { path: '$.items', expected })
  }
  const seen = new Map<string, number>()
  const problems = items.flatMap((item, at) => {
    const path = `$.items[${at}]`
    const first = seen.get(item.id)
    if (first === undefined) seen.set(item.id, at)
    const fault = rulingFault(item, path)
    return [
      ...(fault === null ? [] : [fault]),
      ...(first === undefined
        ? []
        : [{ path: `${path}.id`, expected: `another id than items[${first}] has` }]),
    ]
  })
  const [problem, ...others] = problems.slice(0, problemsMax)
  return problem === undefined
    ? null
    : bodyInvalid(`The batch needs ${problem.expected} at ${problem.path}.`, problem, others)
}

const problemsMax = 20

/** Reads the passages that rows quote from archived transcripts, each transcript once. */
const prepare = async (
  index: TranscriptIndex,
  { samples, archive }: Snapshot,
  ids: ReadonlyArray<string>,
): Promise<Either<RefusalOf<'Starting' | 'Overloaded'>, { readonly prepared: ReadPassages }>> => {
  const quoting = groupBy(
    ids.flatMap(id => {
      const sample = samples.byId.get(id)
      return sample === undefined || isRuled(sample.row) ? [] : [sample]
    }),
    ({ row }) => (row.locator === undefined ? null : quotedLog(row.locator)),
  )
  const passages: Array<ReadPassages['passages'][number]> = []
  for (const [name, quoted] of quoting) {
    const archived = name === null ? undefined : archive.get(name)
    if (name === null || archived === undefined) continue
    const found = await index.ask('log', { name, withTopics: true, withLines: true })
    if (isLeft(found)) return found
    for (const { row } of quoted) {
      const passage: Passage =
        row.locator === undefined ? { _tag: 'Stands' } : findPassage(row.locator, found.right?.lines ?? [])
      passages.push({
        id: row.id,
        text: archived.text.blob,
        stands: passage._tag === 'Stands',
        proposed: passage._tag === 'Stands' ? null : passage.proposed,
      })
    }
  }
  return right({ prepared: { passages } })
}
