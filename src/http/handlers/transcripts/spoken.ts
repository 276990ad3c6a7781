import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import type { Day, EntityType } from '#protocol/atoms.js'
import { EntityFetch } from '#protocol/lore/entities.js'
import type { RefusalOf } from '#protocol/refusal.js'
import type {
  Dossier,
  EntityScene,
  EntitySpeech,
  MentionSums,
  NamingLine,
  spokenRoutes,
} from '#protocol/transcripts/spoken.js'
import type { Caller, View } from '#src/domain/callers/caller.js'
import { fetchInSlices } from '#src/domain/entities/references.js'
import { gradeOf } from '#src/domain/identity/grade.js'
import { resolveName } from '#src/domain/names/resolve.js'
import { ownerNameOn } from '#src/domain/people/roster.js'
import { speakerResolverOf } from '#src/domain/samples/bound-speakers.js'
import { queryKnowledgeOf, queryTermsInSlices, readSearchQuery } from '#src/domain/search/query.js'
import { chooseTiers } from '#src/domain/search/search-page.js'
import { sessionsOfInSlices } from '#src/domain/sessions/entity-history.js'
import { citationsOf } from '#src/domain/transcripts/archive.js'
import {
  anyLine,
  type FoundLine,
  type FoundScene,
  type LineFilter,
  type LogTally,
} from '#src/domain/transcripts/questions.js'
import {
  headingsOfPlace,
  heard,
  namedSubject,
  namesOfSubject,
  narratorExcept,
  placeOfHeading,
  type Subject,
  speakersOfSubject,
  spellingsOfSubject,
  strangerIn,
  strangersOf,
  subjectOf,
  wordsOfSubject,
} from '#src/domain/transcripts/spoken.js'
import type { Handlers } from '#src/http/routing/handler.js'
import type { RunWork } from '#src/http/routing/read-admission.js'
import type { Host } from '#src/ports/host.js'
import type { IndexedTranscripts, TranscriptIndex } from '#src/ports/transcripts.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { findBlock } from '../entities.js'
import { rankTiers, showHits } from '../search.js'
import { foundLogLine, pageOfQuery, windowOver } from './logs.js'

/** What the rows of speech need of a node. */
export type SpokenNode = Pick<Host, 'transcripts' | 'search'>

/** What was said in `Lokalny`, by whom and where (docs/spec/transcripts.md#spoken). */
export const spokenHandlers: Handlers<typeof spokenRoutes, SpokenNode> = {
  'entities.lines.list': async input => {
    const spoken = await spokenOf(input)
    if (isLeft(spoken)) return spoken
    const { limit, offset } = pageOfQuery(input.query)
    const found = await spoken.right.index.ask('lines', { filter: spoken.right.filter, limit, offset })
    if (isLeft(found)) return found
    const items = found.right.lines.map(line => foundLogLine(line, input.snapshot))
    const page = { count: items.length, total: found.right.total, limit, offset, items }
    return right({ body: { ...shown(spoken.right.subject), ...page } })
  },
  'entities.speech.list': async input => {
    const spoken = await spokenOf(input)
    if (isLeft(spoken)) return spoken
    const found = await spoken.right.index.ask('tallies', { filter: spoken.right.filter })
    if (isLeft(found)) return found
    const items = found.right.map(({ log, header, day, lines, words }) => ({
      Log: log,
      Header: header,
      Date: day,
      Lines: lines,
      Words: words,
    }))
    const body: EntitySpeech = {
      ...shown(spoken.right.subject),
      ...sumsOf(found.right),
      count: items.length,
      items,
    }
    return right({ body })
  },
  'entities.scenes.list': async input => {
    const spoken = await spokenOf(input)
    if (isLeft(spoken)) return spoken
    const { limit, offset } = pageOfQuery(input.query)
    const found = await spoken.right.index.ask('scenes', { filter: spoken.right.filter, limit, offset })
    if (isLeft(found)) return found
    const items = found.right.scenes.map(one => sceneOf(one, input.snapshot, spoken.right))
    const page = { count: items.length, total: found.right.total, limit, offset, items }
    return right({ body: { ...shown(spoken.right.subject), ...page } })
  },
  'entities.hits.list': async input => {
    const spoken = await spokenOf(input)
    if (isLeft(spoken)) return spoken
    const found = await namingLines(spoken.right, input.snapshot, input.run, hitCandidatesMax)
    if (isLeft(found)) return found
    const page = windowOver(found.right.lines, input.query)
    const isLowerBound = found.right.isCut ? { totalIsLowerBound: true as const } : {}
    return right({ body: { ...shown(spoken.right.subject), ...page, ...isLowerBound } })
  },
  'entities.mentions.get': async input => {
    const spoken = await spokenOf(input)
    if (isLeft(spoken)) return spoken
    const found = await mentionsOf(spoken.right, input.snapshot)
    if (isLeft(found)) return found
    if (found.right === null) return left(noMentions)
    return right({ body: { ...shown(spoken.right.subject), ...found.right } })
  },
  'entities.dossier.get': async input => {
    const { asOf } = input.query
    const day = asOf ?? input.snapshot.day
    const spoken = await spokenOf({ ...input, query: { type: input.query.type, to: day } })
    return isLeft(spoken) ? spoken : dossierOf(spoken.right, input, day)
  },
  'hygiene.orphans.get': async ({ caller, snapshot, node }) => {
    const filter = { ...anyLine, isSpoken: true, withTopics: caller.view.mayReadRestricted }
    const [speakers, surfaces, logs] = await Promise.all([
      node.transcripts.ask('speakers', { filter }),
      node.transcripts.ask('commonSurfaces', { logsMin: orphanLogsMin }),
      node.transcripts.ask('tallies', { filter: anyLine }),
    ])
    if (isLeft(speakers)) return speakers
    if (isLeft(surfaces)) return surfaces
    if (isLeft(logs)) return logs
    const several = speakers.right.filter(one => one.logs >= orphanLogsMin)
    const strangers = new Set(
      strangersOf(
        snapshot,
        several.map(({ speaker }) => speaker),
      ),
    )
    const cited = citationsOf(snapshot.sessions)
    const lines = new Map(logs.right.map(one => [one.log, one.lines]))
    return right({
      body: {
        speakers: several.flatMap(({ speaker, logs: count, lines: own }) =>
          strangers.has(speaker) ? [{ name: speaker, logs: count, lines: own }] : [],
        ),
        surfaces: (surfaces.right ?? [])
          .filter(({ name }) => strangerIn(snapshot, name) !== null)
          .sort((one, other) => other.lines - one.lines || (one.name < other.name ? -1 : 1)),
        logs: [...snapshot.archive.keys()].flatMap(log =>
          cited.has(log) ? [] : [{ log, lines: lines.get(log) ?? 0 }],
        ),
      },
    })
  },
}

/** An orphan is a name of at least so many transcripts. */
const orphanLogsMin = 2

/** Lines with the words of a name that are read to find those that name the subject. */
const hitCandidatesMax = 5_000

/** Candidates that decide whether the corpus says a name that no block answers to. */
const saidCandidatesMax = 200

const linesOfYear = 5

const scenesMax = 1_000

const passagesMax = 10

interface SpokenInput {
  readonly path: { readonly name: string }
  readonly query: {
    readonly type: EntityType | undefined
    readonly from?: Day | undefined
    readonly to?: Day | undefined
  }
  readonly caller: { readonly view: View }
  readonly snapshot: Snapshot
  readonly node: SpokenNode
  readonly run: RunWork
}

/** A subject with the lines that it spoke, or that were spoken in it. */
interface Spoken {
  readonly index: TranscriptIndex
  readonly subject: Subject
  readonly filter: LineFilter
  /** What everybody said, as far as answers have it. */
  readonly everybody: LineFilter
  readonly speakers: ReadonlyArray<string>
}

type IndexRefusal = RefusalOf<'Starting' | 'Overloaded'>

const shown = ({ name, entity }: Subject) => ({ entity: name, type: entity?.type ?? null })

/** What the index has of all transcripts, asked once for each of its readings. */
const corpora = new WeakMap<
  IndexedTranscripts,
  { readonly speakers: ReadonlyArray<string>; readonly headings: ReadonlyArray<string> }
>()

const corpusOf = async (index: TranscriptIndex) => {
  const reading = index.reading()
  const known = reading === null ? undefined : corpora.get(reading)
  if (known !== undefined) return right(known)
  const [speakers, headings] = await Promise.all([
    index.ask('speakers', { filter: { ...anyLine, withTopics: true } }),
    index.ask('places', null),
  ])
  if (isLeft(speakers)) return speakers
  if (isLeft(headings)) return headings
  const corpus = { speakers: speakers.right.map(({ speaker }) => speaker), headings: headings.right }
  if (reading !== null) corpora.set(reading, corpus)
  return right(corpus)
}

/** The block of a path in any form but a misspelling, else the name as written where the corpus says it, else 404. */
const spokenOf = async (
  input: SpokenInput,
): Promise<Either<IndexRefusal | RefusalOf<'EntityNotFound'>, Spoken>> => {
  const { path, query, snapshot, node, caller } = input
  const index = node.transcripts
  const corpus = await corpusOf(index)
  if (isLeft(corpus)) return corpus
  const block = findSubject(snapshot, path.name, query.type)
  const subject = isLeft(block) ? namedSubject(path.name.trim()) : block.right
  const { speakers: all, headings } = corpus.right
  const speakers = speakersOfSubject(snapshot, subject, all)
  const everybody: LineFilter = {
    ...heard(narratorExcept(snapshot, all), caller.view.mayReadRestricted),
    from: query.from ?? null,
    to: query.to ?? null,
  }
  const filter: LineFilter = subject.isPlace
    ? { ...everybody, places: headingsOfPlace(snapshot, subject, headings) }
    : { ...everybody, speakers }
  const spoken: Spoken = { index, subject, filter, everybody, speakers }
  if (!isLeft(block) || speakers.length > 0) return right(spoken)
  const said = await namingLines(spoken, snapshot, input.run, saidCandidatesMax)
  if (isLeft(said)) return said
  return said.right.lines.length > 0 ? right(spoken) : block
}

const findSubject = (
  snapshot: Snapshot,
  name: string,
  type: EntityType | undefined,
): Either<RefusalOf<'EntityNotFound'>, Subject> => {
  const written = findBlock({ path: { name }, query: { type }, snapshot })
  if (!isLeft(written)) return right(subjectOf(written.right.entity))
  const types = type === undefined ? {} : { types: [type] }
  const { entity } = resolveName(snapshot.names, name, { upTo: 'lemma', ...types })
  return entity === null ? written : right(subjectOf(entity))
}

/** Lines of others that name the subject, the oldest first, of the first `candidatesMax` with the words of a name. */
const namingLines = async (
  { index, subject, everybody, speakers }: Spoken,
  snapshot: Snapshot,
  run: RunWork,
  candidatesMax: number,
): Promise<Either<IndexRefusal, { readonly lines: ReadonlyArray<NamingLine>; readonly isCut: boolean }>> => {
  const knowledge = queryKnowledgeOf(snapshot)
  const terms = []
  for (const spelling of spellingsOfSubject(snapshot, subject))
    terms.push(await run(queryTermsInSlices(spelling, knowledge)))
  const found = await index.ask('lines', {
    filter: { ...everybody, terms, notSpeakers: speakers },
    limit: candidatesMax,
    offset: 0,
  })
  if (isLeft(found)) return found
  const lines = await run(namingInSlices(found.right.lines, snapshot, subject))
  return right({ lines, isCut: found.right.total > candidatesMax })
}

const namingInSlices = function* (found: ReadonlyArray<FoundLine>, snapshot: Snapshot, subject: Subject) {
  const lines: Array<NamingLine> = []
  for (const [at, line] of found.entries()) {
    if (at % 64 === 63) yield
    const naming = namingLine(line, snapshot, subject)
    if (naming.Spans.length > 0) lines.push(naming)
  }
  return lines
}

const namingLine = (line: FoundLine, snapshot: Snapshot, subject: Subject): NamingLine => ({
  ...foundLogLine(line, snapshot),
  Spans: namesOfSubject(snapshot, subject, line.text).map(({ start, end, text }) => ({ start, end, text })),
})

const noMentions: RefusalOf<'Starting'> = {
  _tag: 'Starting',
  detail: 'The index of mentions is not made yet. Try again after the seconds of Retry-After.',
}

/** What the index of mentions has of the subject; null where there is none. */
const mentionsOf = async (
  { index, subject, everybody, speakers }: Spoken,
  snapshot: Snapshot,
): Promise<Either<IndexRefusal, MentionSums | null>> => {
  const near = await index.ask('surfaces', { words: wordsOfSubject(snapshot, subject) })
  if (isLeft(near)) return near
  if (near.right === null) return right(null)
  const surfaces = near.right.filter(surface => namesOfSubject(snapshot, subject, surface).length > 0)
  const found = await index.ask('mentions', {
    surfaces,
    filter: { ...everybody, notSpeakers: speakers },
    linesMax: linesOfYear,
  })
  if (isLeft(found)) return found
  const years = (found.right ?? []).map(({ year, count, lines }) => ({
    year,
    count,
    lines: lines.map(line => namingLine(line, snapshot, subject)),
  }))
  return right({ total: years.reduce((total, { count }) => total + count, 0), years })
}

const sumsOf = (tallies: ReadonlyArray<LogTally>) => {
  const nicks = new Map<string, number>()
  for (const { speakers } of tallies)
    for (const [nick, lines] of speakers) nicks.set(nick, (nicks.get(nick) ?? 0) + lines)
  const days = tallies.flatMap(({ day }) => day ?? []).sort()
  return {
    Lines: tallies.reduce((sum, { lines }) => sum + lines, 0),
    Words: tallies.reduce((sum, { words }) => sum + words, 0),
    Logs: tallies.length,
    First: days[0] ?? null,
    Last: days.at(-1) ?? null,
    Nicks: [...nicks]
      .map(([Nick, Lines]) => ({ Nick, Lines }))
      .sort((one, other) => other.Lines - one.Lines || (one.Nick < other.Nick ? -1 : 1)),
  }
}

const sceneOf = (
  scene: FoundScene,
  snapshot: Snapshot,
  { subject, speakers }: Pick<Spoken, 'subject' | 'speakers'>,
): EntityScene => {
  const own = subject.isPlace ? new Set<string>() : new Set(speakers)
  const resolve = speakerResolverOf(snapshot, scene.log)
  return {
    Log: scene.log,
    Header: scene.header,
    Date: scene.day,
    Segment: scene.segment,
    Place: scene.place,
    PlaceResolved: scene.place === null ? null : (placeOfHeading(snapshot, scene.place)?.name ?? null),
    First: scene.first,
    Last: scene.last,
    From: scene.from,
    To: scene.to,
    Lines: scene.lines,
    Company: scene.company.flatMap(([speaker, lines]) =>
      own.has(speaker)
        ? []
        : [{ Speaker: speaker, SpeakerResolved: resolve(speaker).entity?.name ?? null, Lines: lines }],
    ),
  }
}

type DossierInput = SpokenInput & { readonly caller: Caller; readonly nowMs: number }

const dossierOf = async (
  spoken: Spoken,
  input: DossierInput,
  day: Day,
): Promise<Either<IndexRefusal, { readonly body: Dossier }>> => {
  const { index, subject, filter } = spoken
  const { snapshot, caller, run } = input
  const [tallies, scenes, mentions] = await Promise.all([
    index.ask('tallies', { filter }),
    index.ask('scenes', { filter, limit: scenesMax, offset: 0 }),
    mentionsOf(spoken, snapshot),
  ])
  if (isLeft(tallies)) return tallies
  if (isLeft(scenes)) return scenes
  if (isLeft(mentions)) return mentions
  const spokeIn = new Set(tallies.right.map(({ log }) => log))
  return right({
    body: {
      ...shown(subject),
      asOf: day,
      Identity:
        gradeOf(caller.holds, 'entity.read') === 'full'
          ? await identityOf(subject, snapshot, day, run)
          : null,
      Sessions: caller.view.sessions ? await sessionsOf(subject, spokeIn, snapshot, day, run) : null,
      Speech: sumsOf(tallies.right),
      Places: scenes.right.scenes.map(one => {
        const { Place, PlaceResolved, Log, Header, Date, Lines } = sceneOf(one, snapshot, spoken)
        return { Place, PlaceResolved, Log, Header, Date, Lines }
      }),
      Mentions: mentions.right,
      Passages: await passagesOf(subject, input, day),
    },
  })
}

const identityOf = async ({ entity }: Subject, snapshot: Snapshot, day: Day, run: RunWork) => {
  if (entity === null) return null
  const bytes = await run(fetchInSlices(entity, [], day, snapshot.day, ownerNameOn(snapshot)))
  const value: unknown = JSON.parse(bytes.toString('utf8'))
  return EntityFetch.is(value) ? value : null
}

/** The sessions up to the day that name the subject, or that cite a transcript in which it spoke. */
const sessionsOf = async (
  { entity }: Subject,
  spokeIn: ReadonlySet<string>,
  snapshot: Snapshot,
  day: Day,
  run: RunWork,
): Promise<Dossier['Sessions']> => {
  const cited = citationsOf(snapshot.sessions)
  const spoke = new Set([...spokeIn].flatMap(log => cited.get(log)?.sessions ?? []))
  const named = entity === null ? [] : await run(sessionsOfInSlices(snapshot, entity))
  return [...new Set([...named, ...spoke])]
    .filter(({ date }) => date <= day)
    .sort((one, other) =>
      one.date < other.date ? -1 : one.date > other.date ? 1 : one.header < other.header ? -1 : 1,
    )
    .map(session => ({
      Header: session.header,
      Date: session.date,
      Tier: spoke.has(session) ? 'speech' : 'session',
    }))
}

/** The best passages for the name in the tiers that the caller may search; none where no tier answers. */
const passagesOf = async (
  { name }: Subject,
  { snapshot, caller, node, run }: DossierInput,
  day: Day,
): Promise<Dossier['Passages']> => {
  const none = { searched: [], items: [] }
  if (gradeOf(caller.holds, 'entity.read') !== 'full') return none
  const asked = { q: name, limit: passagesMax, ...(day < snapshot.day ? { asOf: day } : {}) }
  const read = readSearchQuery(asked)
  if (isLeft(read)) return none
  const chosen = chooseTiers(read.right.scope, caller.view, node.search.asker.states())
  if (isLeft(chosen)) return none
  const terms = await run(queryTermsInSlices(name, queryKnowledgeOf(snapshot)))
  const { rankings } = await rankTiers(node.search.asker, read.right, chosen.right.searched, terms)
  const items = await showHits(node.search, snapshot, rankings, passagesMax, terms)
  return { searched: rankings.map(({ tier }) => tier), items: items ?? [] }
}
