import { hash } from 'node:crypto'
import { type Day, type EntityType, nameKey } from '#protocol/atoms.js'
import { perValueInSlices } from '#src/domain/caching/per-value.js'
import type { Entity } from '#src/domain/entities/entity.js'
import type { Row } from '#src/domain/lore/rows/row-change.js'
import { resolveName } from '#src/domain/names/resolve.js'
import type { NameIndex } from '#src/domain/names/spelling-table.js'
import {
  type Deposit,
  locatorKey,
  ruledReferent,
  type SampleLocator,
  type Samples,
  spanClass,
} from '#src/domain/samples/samples.js'
import type { Sliced } from '#src/domain/slicing/sliced.js'
import { type NamedSpan, type Witness, witnessesIn } from './witness.js'

/**
 * Where a person comes from and belongs to, as the corpus shows it (B 2.1, 4.1). Nothing here writes; the autopilot
 * turns `linesToWrite` into commits.
 */

/** A line of a transcript, or a paragraph of a session, with the sessions that it counts for. */
export interface EvidenceLine {
  /** The headers of the sessions that cite the transcript, or of the session itself; the first is the earliest. */
  readonly sessions: ReadonlyArray<{ readonly header: string; readonly date: Day }>
  /** The name of the transcript; null for the prose of a session. */
  readonly log: string | null
  /** The index of the line in its transcript or of the paragraph in its session. */
  readonly line: number
  readonly text: string
  readonly speaker: Entity | null
}

export type MembershipState = 'candidate' | 'thin' | 'lore' | 'ruled'

/** What shows that a person belongs to a group. */
export interface Membership {
  readonly kind: string
  readonly group: Entity
  readonly sessions: number
  readonly logs: number
  readonly guard: boolean
  readonly state: MembershipState
  readonly witnesses: ReadonlyArray<WitnessLine>
}

export interface WitnessLine {
  readonly line: EvidenceLine
  readonly witness: Witness
}

/** A membership counts as shown from this many sessions and transcripts on (B 8). */
export const guard = { sessions: 2, logs: 2 } as const

/** The witnesses of all lines; those that name no person whom a block has are `unknown`. */
export interface WitnessIndex {
  readonly byPerson: ReadonlyMap<Entity, ReadonlyArray<WitnessLine>>
  /** By the surface as written: somebody whom no block names. */
  readonly unknown: ReadonlyMap<string, ReadonlyArray<WitnessLine>>
}

/** What transcripts and sessions show of the entities of one index of names. */
export interface LineageEvidence {
  readonly names: NameIndex
  /** Lines that may name a group, and the prose of sessions. */
  readonly lines: ReadonlyArray<EvidenceLine>
  readonly origins: ReadonlyMap<Entity, Origin>
  readonly spoken: ReadonlyArray<SpokenName>
  /** The speaker, whom no block names, of whose name a surface is a form; null: none. */
  readonly speakerNamed: (surface: string) => string | null
}

/** The witnesses of evidence, read once. */
export const witnessesOf = perValueInSlices(({ lines, names }: LineageEvidence) =>
  indexWitnesses(lines, names),
)

/** A name under which somebody speaks in transcripts, as written. */
export interface SpokenName {
  readonly surface: string
  /** The headers of the sessions that cite those transcripts. */
  readonly sessions: ReadonlySet<string>
  readonly logs: ReadonlySet<string>
}

/** Reads the witnesses of lines. Yields after each line that has a pattern word. */
export const indexWitnesses = function* (
  lines: Iterable<EvidenceLine>,
  names: NameIndex,
): Sliced<WitnessIndex> {
  const byPerson = new Map<Entity, Array<WitnessLine>>()
  const unknown = new Map<string, Array<WitnessLine>>()
  for (const line of lines) {
    const found = witnessesIn(line.text, { names, speaker: line.speaker })
    for (const witness of found) {
      const { person } = witness
      if (person.entity === null) addTo(unknown, person.text, { line, witness })
      else addTo(byPerson, person.entity, { line, witness })
    }
    if (found.length > 0) yield
  }
  return { byPerson, unknown }
}

/** The memberships of a person, those with the most sessions first; `day` is the day on which the lore is read. */
export const membershipsOf = (
  person: Entity,
  witnesses: ReadonlyArray<WitnessLine>,
  { names, samples, day }: LineageLore,
): ReadonlyArray<Membership> => {
  const byGroup = new Map<Entity, Array<WitnessLine>>()
  for (const one of witnesses) addTo(byGroup, one.witness.group.entity, one)
  const known = new Set(
    person.rows.flatMap(row => (row.tag === 'grupa' ? (groupNamed(names, row.value, day)?.key ?? []) : [])),
  )
  return [...byGroup]
    .map(([group, all]): Membership => {
      const free = all.filter(one => !isRuledOut(samples, one))
      const { sessions, logs } = countOf(free)
      const passes = sessions >= guard.sessions && logs >= guard.logs
      return {
        kind: free[0]?.witness.kind ?? all[0]?.witness.kind ?? '',
        group,
        sessions,
        logs,
        guard: passes,
        state: stateOf(known.has(group.key), free.length === 0, passes),
        witnesses: all,
      }
    })
    .sort((one, other) => other.sessions - one.sessions || (one.group.name < other.group.name ? -1 : 1))
}

export interface LineageLore {
  readonly names: NameIndex
  readonly samples: Samples
  readonly day: Day
}

/** A `@grupa` value: of an organisation that has a block, or the name of a tier or rank. */
export interface GroupRow {
  readonly value: string
  readonly auto: boolean
  readonly kind: 'organisation' | 'tier'
}

/** What the lore says of a person's origin and groups. */
export const statedLineage = (
  { rows }: Pick<Entity, 'rows'>,
  names: NameIndex,
  day: Day,
): {
  readonly pochodzenie: Pick<GroupRow, 'value' | 'auto'> | null
  readonly grupa: ReadonlyArray<GroupRow>
} => {
  const origin = rows.find(({ tag }) => tag === 'pochodzenie')
  return {
    pochodzenie: origin === undefined ? null : { value: origin.value, auto: origin.auto },
    grupa: rows
      .filter(({ tag }) => tag === 'grupa')
      .map(({ value, auto }) => ({
        value,
        auto,
        kind: groupNamed(names, value, day) === null ? 'tier' : 'organisation',
      })),
  }
}

/** How a person is first heard of: it spoke, or somebody named it. */
export interface Origin {
  readonly session: string
  readonly date: Day
  readonly how: 'spoke' | 'mentioned'
  readonly line: EvidenceLine
  /** How many sessions and transcripts have it speak or name it. */
  readonly sessions: number
  readonly logs: number
}

/** A line of the lore that the autopilot writes or takes back. */
export interface LineageLine {
  readonly _tag: 'Add' | 'Drop' | 'Block'
  readonly name: string
  readonly type: EntityType
  readonly tag: 'grupa' | 'pochodzenie'
  readonly value: string
}

/** What one tick does: first the deposits, then the lines. */
export interface LineagePlan {
  readonly lines: ReadonlyArray<LineageLine>
  readonly deposits: ReadonlyArray<Deposit>
  /** Candidates that a person has ruled out. */
  readonly ruled: number
}

export interface LineageTick {
  readonly witnesses: WitnessIndex
  readonly origins: ReadonlyMap<Entity, Origin>
  readonly lore: LineageLore
  /** The speaker of lines, as written, whom no block names and of whose name a surface is a form; null: none. */
  readonly speakerNamed: (surface: string) => string | null
  /** Whether a machine wrote this line once and a person removed it. */
  readonly wasRemoved: (name: string, tag: LineageLine['tag'], value: string) => boolean
  readonly linesMax: number
}

/** The lines of a tick: what a ruling takes back comes first, then memberships, origins, and new blocks. */
export const planLineage = ({ linesMax, ...tick }: LineageTick): LineagePlan => {
  const drops: Array<LineageLine> = []
  const adds: Array<readonly [LineageLine, ReadonlyArray<Deposit>]> = []
  let ruled = 0
  for (const [person, all] of tick.witnesses.byPerson) {
    // The roster is written by commits of persons only.
    if (person.type === 'Gracz') continue
    const memberships = membershipsOf(person, all, tick.lore)
    for (const { row } of retractionsOf(person, memberships, tick.lore.names, tick.lore.day))
      drops.push(lineOf('Drop', person, 'grupa', row.value))
    for (const { group, state, witnesses } of memberships) {
      if (state === 'ruled') ruled += 1
      if (state !== 'candidate' || tick.wasRemoved(person.name, 'grupa', group.name)) continue
      const proves = { tag: 'grupa', subject: person.name, value: group.name } as const
      const deposits = witnesses.map(one => depositOf(one, proves))
      adds.push([lineOf('Add', person, 'grupa', group.name), deposits])
    }
  }
  for (const [person, origin] of tick.origins) {
    const isStated = person.rows.some(({ tag }) => tag === 'pochodzenie')
    const passes = origin.sessions >= guard.sessions && origin.logs >= guard.logs
    if (isStated || !passes || tick.wasRemoved(person.name, 'pochodzenie', origin.session)) continue
    adds.push([lineOf('Add', person, 'pochodzenie', origin.session), [depositOfOrigin(person, origin)]])
  }
  adds.push(...newBlocks(tick))
  const kept = adds.slice(0, Math.max(0, linesMax - drops.length))
  return {
    lines: [...drops.slice(0, linesMax), ...kept.map(([line]) => line)],
    deposits: kept.flatMap(([, deposits]) => deposits),
    ruled,
  }
}

/** A machine's line that a ruling took back. */
export interface LineageRetraction {
  readonly person: Entity
  readonly row: Row
}

/** The project under which the autopilot deposits. */
export const lineageProject = 'lineage'

/** The deposit of one witness line: a proposed span of the group's name, with what it would prove. */
export const depositOf = (
  { line, witness }: WitnessLine,
  proves: { readonly tag: 'grupa' | 'pochodzenie'; readonly subject: string; readonly value: string },
): Deposit => ({
  project: lineageProject,
  label: witness.group.entity.type,
  fields: {
    referent: witness.group.entity.name,
    scope: line.sessions[0]?.header ?? 'corpus',
    lineage: proves,
    evidence_form: witness.group.text,
  },
  locator: locatorOf(line, witness.group),
})

/** The machine's `@grupa` lines of a person whose every witness a person has ruled out, or that have none left. */
export const retractionsOf = (
  person: Entity,
  memberships: ReadonlyArray<Membership>,
  names: NameIndex,
  day: Day,
): ReadonlyArray<LineageRetraction> =>
  person.rows.flatMap(row => {
    if (row.tag !== 'grupa' || !row.auto) return []
    const group = groupNamed(names, row.value, day)
    const shown = memberships.find(one => one.group.key === group?.key)
    return shown !== undefined && shown.state === 'ruled' ? [{ person, row }] : []
  })

/** The sample row that rules on the words of a witness, if a person confirmed one. */
export const rulingOn = (samples: Samples, { line, witness }: WitnessLine): string | null | undefined => {
  const row = samples.byLocator.get(locatorKey(spanClass, locatorOf(line, witness.group)))?.row
  return row === undefined || row.grade !== 'confirmed' ? undefined : ruledReferent(row)
}

/** The locator of words in a line of evidence. */
export const locatorOf = (
  line: EvidenceLine,
  { start, end, text }: Pick<NamedSpan, 'start' | 'end' | 'text'>,
): SampleLocator => ({
  document: line.log === null ? `session/${line.sessions[0]?.header ?? ''}` : `log/${line.log}`,
  source: line.sessions[0]?.header ?? '',
  hash: hash('sha256', line.text, 'hex'),
  line: line.line,
  start,
  end,
  text,
})

/** Blocks of persons whom no block names: one group passes the guard for them, and they speak themselves. */
const newBlocks = ({
  witnesses,
  lore,
  speakerNamed,
  wasRemoved,
}: Omit<LineageTick, 'linesMax'>): ReadonlyArray<readonly [LineageLine, ReadonlyArray<Deposit>]> => {
  const bySpeaker = new Map<string, Array<WitnessLine>>()
  for (const [surface, all] of witnesses.unknown) {
    const speaker = speakerNamed(surface)
    if (speaker !== null) for (const one of all) addTo(bySpeaker, speaker, one)
  }
  return [...bySpeaker].flatMap(([name, all]) => {
    const free = all.filter(one => !isRuledOut(lore.samples, one))
    const groups = new Set(free.map(({ witness }) => witness.group.entity))
    const [group] = groups
    const { sessions, logs } = countOf(free)
    const passes = sessions >= guard.sessions && logs >= guard.logs
    if (group === undefined || groups.size !== 1 || !passes) return []
    if (wasRemoved(name, 'grupa', group.name)) return []
    const proves = { tag: 'grupa', subject: name, value: group.name } as const
    const line = { _tag: 'Block', name, type: 'NPC', tag: 'grupa', value: group.name } as const
    return [[line, free.map(one => depositOf(one, proves))] as const]
  })
}

const lineOf = (
  _tag: 'Add' | 'Drop',
  { name, type }: Entity,
  tag: LineageLine['tag'],
  value: string,
): LineageLine => ({ _tag, name, type, tag, value })

/** The deposit of an origin: the words by which the person is named or speaks first. */
const depositOfOrigin = (person: Entity, { session, line }: Origin): Deposit => ({
  project: lineageProject,
  label: person.type,
  fields: {
    referent: person.name,
    scope: session,
    lineage: { tag: 'pochodzenie', subject: person.name, value: session },
    evidence_form: line.text,
  },
  locator: locatorOf(line, { start: 0, end: line.text.length, text: line.text }),
})

const addTo = <K, A>(map: Map<K, Array<A>>, key: K, one: A): void => {
  const known = map.get(key)
  if (known === undefined) map.set(key, [one])
  else known.push(one)
}

const groupTypes: ReadonlyArray<EntityType> = ['Grupa']

const groupNamed = (names: NameIndex, value: string, day: Day): Entity | null =>
  resolveName(names, value, { upTo: 'alias', types: groupTypes, day }).entity

/** A ruling that names the same group speaks for the witness; any other one, or none at all, against it. */
const isRuledOut = (samples: Samples, one: WitnessLine): boolean => {
  const ruled = rulingOn(samples, one)
  return ruled !== undefined && (ruled === null || nameKey(ruled) !== one.witness.group.entity.key)
}

const countOf = (
  witnesses: ReadonlyArray<WitnessLine>,
): { readonly sessions: number; readonly logs: number } => ({
  sessions: new Set(witnesses.flatMap(({ line }) => line.sessions.map(({ header }) => header))).size,
  logs: new Set(witnesses.flatMap(({ line }) => line.log ?? [])).size,
})

const stateOf = (isStated: boolean, isRuled: boolean, passes: boolean): MembershipState => {
  if (isRuled) return 'ruled'
  if (isStated) return 'lore'
  return passes ? 'candidate' : 'thin'
}
