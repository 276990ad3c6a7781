import { isLeft } from 'fp-ts/lib/Either.js'
import { nameKey } from '#protocol/atoms.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { Entities, Entity } from '#src/domain/entities/entity.js'
import type { EvidenceLine, LineageEvidence, Origin, SpokenName } from '#src/domain/lineage/lineage.js'
import { mayWitness } from '#src/domain/lineage/witness.js'
import { nameTags } from '#src/domain/lore/rows/rows.js'
import { bareWordsOfKey, possibleForms } from '#src/domain/names/resolve.js'
import { paragraphsOf } from '#src/domain/samples/passages.js'
import type { Session } from '#src/domain/sessions/session.js'
import { type Citations, citationsOf } from '#src/domain/transcripts/archive.js'
import { speakerResolver } from '#src/domain/transcripts/names-in-lines.js'
import type { ReadEvidence, TranscriptIndex } from '#src/ports/transcripts.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'

/**
 * The evidence of a host. A transcript is read again only where its text or the names of groups changed: of each, the
 * lines that may name a group, and who speaks, are remembered.
 */
export const openLineageEvidence = (
  index: Pick<TranscriptIndex, 'ask'>,
  breathe: () => Promise<void>,
): ReadEvidence => {
  let known = new Map<string, ReadLog>()
  let knownGroups: GroupWords | null = null
  let last: { readonly of: Snapshot; readonly evidence: LineageEvidence } | null = null
  return async (snapshot, signal) => {
    if (last !== null && isSameLore(last.of, snapshot)) return last.evidence
    const groups = groupWordsOf(snapshot.entities)
    if (groups.key !== knownGroups?.key) known = new Map()
    knownGroups = groups
    const now = new Map<string, ReadLog>()
    for (const [name, { text }] of snapshot.archive) {
      const before = known.get(name)
      const log =
        before?.blob === text.blob ? before : await readLog(index, { name, blob: text.blob }, groups)
      if (log === null || signal.aborted) return null
      now.set(name, log)
      await breathe()
    }
    known = now
    const evidence = evidenceOf(snapshot, now, groups)
    last = { of: snapshot, evidence }
    return evidence
  }
}

const isSameLore = (one: Snapshot, other: Snapshot): boolean =>
  one.names === other.names &&
  one.entities === other.entities &&
  one.sessions === other.sessions &&
  one.archive === other.archive

/** What is remembered of a transcript. */
interface ReadLog {
  readonly blob: string
  readonly speakers: ReadonlyMap<string, FirstWords>
  readonly lines: ReadonlyArray<LineOfLog>
}

interface LineOfLog {
  readonly index: number
  readonly text: string
  readonly speaker: string | null
}

type FirstWords = Pick<LineOfLog, 'index' | 'text'>

/** The first words of the forms of all names of groups, without Polish marks. */
interface GroupWords {
  readonly key: string
  readonly words: ReadonlySet<string>
}

const groupWordsOf = perValue((entities: Entities): GroupWords => {
  const names = entities.all.flatMap(entity =>
    entity.type === 'Grupa'
      ? [entity.name, ...entity.rows.flatMap(({ tag, value }) => (nameTags.has(tag) ? [value] : []))]
      : [],
  )
  return {
    key: names.join('\n'),
    words: new Set(names.flatMap(name => [...possibleForms(name).starts])),
  }
})

const localChannel = 'lokalny'

const readLog = async (
  index: Pick<TranscriptIndex, 'ask'>,
  { name, blob }: { readonly name: string; readonly blob: string },
  groups: GroupWords,
): Promise<ReadLog | null> => {
  const asked = await index.ask('log', { name, withTopics: false, withLines: true })
  if (isLeft(asked)) return null
  const speakers = new Map<string, FirstWords>()
  const lines: Array<LineOfLog> = []
  for (const { index: at, text, speaker, channel, kind } of asked.right?.lines ?? []) {
    if (channel?.toLowerCase() !== localChannel || (kind !== 'say' && kind !== 'act')) continue
    if (speaker !== null && !speakers.has(speaker)) speakers.set(speaker, { index: at, text })
    if (mayNameGroup(text, groups)) lines.push({ index: at, text, speaker })
  }
  return { blob, speakers, lines }
}

const mayNameGroup = (text: string, { words }: GroupWords): boolean =>
  mayWitness(text) && bareWordsOfKey(nameKey(text)).some(word => words.has(word))

const evidenceOf = (
  snapshot: Snapshot,
  logs: ReadonlyMap<string, ReadLog>,
  groups: GroupWords,
): LineageEvidence => {
  const { names, sessions } = snapshot
  const resolve = speakerResolver(names)
  const cited = citationsOf(sessions)
  const lines: Array<EvidenceLine> = []
  const spoken = new Map<string, { readonly sessions: Set<string>; readonly logs: Set<string> }>()
  for (const [name, log] of logs) {
    const headers = headersOf(cited.get(name))
    for (const { index, text, speaker } of log.lines)
      lines.push({
        sessions: headers,
        log: name,
        line: index,
        text,
        speaker: speaker === null ? null : resolve(speaker).entity,
      })
    for (const surface of log.speakers.keys()) {
      const one = spoken.get(surface) ?? { sessions: new Set<string>(), logs: new Set<string>() }
      for (const { header } of headers) one.sessions.add(header)
      one.logs.add(name)
      spoken.set(surface, one)
    }
  }
  const strangers = [...spoken.keys()]
    .filter(surface => resolve(surface).stage === 'miss')
    .map(surface => ({ surface, forms: possibleForms(surface) }))
  return {
    names,
    lines: [...lines, ...sessions.all.flatMap(session => proseOf(session, groups))],
    origins: originsOf(snapshot, logs, cited),
    spoken: [...spoken].map(([surface, one]): SpokenName => ({ surface, ...one })),
    speakerNamed: surface =>
      strangers.find(({ forms }) => forms.hasWords(bareWordsOfKey(nameKey(surface))))?.surface ?? null,
  }
}

const headersOf = (citations: Citations | undefined): EvidenceLine['sessions'] =>
  (citations?.sessions ?? []).map(({ header, date }) => ({ header, date }))

/** The paragraphs of a session that may name a group. */
const proseOf = ({ header, date, body }: Session, groups: GroupWords): ReadonlyArray<EvidenceLine> =>
  paragraphsOf(body)
    .map((text, line) => ({ sessions: [{ header, date }], log: null, line, text, speaker: null }))
    .filter(({ text }) => mayNameGroup(text, groups))

/** Where each entity spoke first, and in how many sessions and transcripts it speaks. */
const originsOf = (
  { names }: Snapshot,
  logs: ReadonlyMap<string, ReadLog>,
  cited: ReadonlyMap<string, Citations>,
): ReadonlyMap<Entity, Origin> => {
  const resolve = speakerResolver(names)
  const origins = new Map<Entity, Origin>()
  const counted = new Map<Entity, { readonly sessions: Set<string>; readonly logs: Set<string> }>()
  for (const [name, { speakers }] of logs) {
    const sessions = headersOf(cited.get(name))
    const [first] = sessions
    if (first === undefined) continue
    for (const [surface, { index, text }] of speakers) {
      const { entity } = resolve(surface)
      if (entity === null || entity.type === 'Gracz') continue
      const count = counted.get(entity) ?? { sessions: new Set<string>(), logs: new Set<string>() }
      for (const { header } of sessions) count.sessions.add(header)
      count.logs.add(name)
      counted.set(entity, count)
      const known = origins.get(entity)
      const isEarlier = known === undefined || first.date < known.date
      const line = { sessions, log: name, line: index, text, speaker: entity }
      origins.set(entity, {
        ...(isEarlier ? { session: first.header, date: first.date, how: 'spoke', line } : known),
        sessions: count.sessions.size,
        logs: count.logs.size,
      })
    }
  }
  return origins
}
