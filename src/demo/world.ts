import { type EpochDay, epochDay, instantText } from './calendar.js'
import { type Chance, chanceOf } from './chance.js'
import { type Change, type DemoCommit, type Growing, makeGrowing, splitEvenly } from './commit.js'
import { demoBlockText, demoRegistryFiles, type EntityBlock } from './entities/entities.js'
import {
  characterBlocks,
  characterFiles,
  type DemoIndexFile,
  documentFiles,
  groupBlocks,
  inFiles,
  loreBlocks,
} from './entities/index-files.js'
import { annotationCommits, languageFiles } from './language.js'
import type { Paradigm } from './names/grammar.js'
import { slug } from './names/names.js'
import { castOf, type DemoCharacter, type DemoPlayer, demoStacksOf, type WorldCast } from './people/cast.js'
import { characterText, contributorsText, demoCharacterPath, playersLedger } from './people/people.js'
import { firstFigures, type Settlement, settleMonths } from './points.js'
import {
  configText,
  exclusionsText,
  formatText,
  ignoreText,
  permissionsText,
  rolesText,
} from './service-files.js'
import { planSessions } from './sessions/session-plan.js'
import {
  adoptedOn,
  closeLine,
  effectsOf,
  headersByHero,
  moveLines,
  primaryPath,
  sessionParagraphs,
  type ThreadFiles,
  type ToldSession,
  threadFiles,
} from './sessions/sessions.js'
import { type Sizes, sizesOf } from './sizes.js'
import { archiveFiles, type DemoTranscript, demoTranscripts } from './transcripts.js'
import { worksCommits } from './works.js'

/** Everything that the commits of a world contain. */
interface Material {
  readonly cast: WorldCast
  readonly sessions: ReadonlyArray<ToldSession>
  readonly threads: ThreadFiles
  readonly settlements: ReadonlyArray<Settlement>
  readonly index: ReadonlyArray<DemoIndexFile>
  readonly characters: ReadonlyArray<EntityBlock>
  readonly setup: ReadonlyArray<Change>
  readonly characterTexts: ReadonlyMap<DemoCharacter, string>
  readonly closing: ReadonlyArray<Change>
}

interface Event {
  readonly day: EpochDay
  readonly author: DemoCommit['author']
  readonly message: string
  readonly changes: ReadonlyArray<Change>
}

const authorOf = (player: DemoPlayer | undefined): DemoCommit['author'] => ({
  name: player?.nick ?? 'Kronika',
  email: `${slug(player?.nick ?? 'kronika')}@example.org`,
})

const robot: DemoCommit['author'] = { name: 'Kronika', email: 'kronika@example.org' }

const began = epochDay(2018, 3, 1)

/** Blocks are added to the index a few at a time, over the years before and during play. */
const indexEvents = (material: Material, count: number): ReadonlyArray<Event> => {
  const files = material.index.map(file =>
    makeGrowing(
      file.path,
      file.blocks.map((block, at) => (at === 0 ? block : `\n${block}`)),
    ),
  )
  const steps = files.flatMap(file =>
    Array.from({ length: file.pieces }, (_, at) => ({ file, upTo: at + 1 })),
  )
  const parts = splitEvenly(steps, count)
  return parts.map((part, at): Event => {
    const last = new Map<Growing, number>(part.map(step => [step.file, step.upTo]))
    return {
      day: began + 4 + Math.floor((at * 2900) / parts.length),
      author: authorOf(material.cast.players[at % 3]),
      message: `encje: bloki indeksu (${part.length})`,
      changes: [...last].map(([file, upTo]) => file.upTo(upTo)),
    }
  })
}

const sessionEvents = (material: Material, count: number): ReadonlyArray<Event> => {
  const numbered = material.sessions.map((told, at) => ({
    told,
    touched: material.threads.touched[at] ?? [],
  }))
  // The late session and what follows it are written down after the last settlement.
  const lateFrom = material.sessions.find(told => told.effects.late)?.plan.day ?? Number.POSITIVE_INFINITY
  return splitEvenly(numbered, count).map((part): Event => {
    const last = new Map<number, number>(
      part.flatMap(one => one.touched.map(touch => [touch.file, touch.count] as const)),
    )
    const final = part[part.length - 1]?.told.plan
    return {
      day: Math.max((final?.day ?? began) + 1, (final?.day ?? began) < lateFrom ? 0 : epochDay(2026, 6, 5)),
      author: authorOf(final?.narrators[0]),
      message: part.length === 1 ? `sesja: ${final?.header ?? ''}` : `sesje: nowe wpisy (${part.length})`,
      changes: [...last].flatMap(([file, upTo]) => material.threads.files[file]?.upTo(upTo) ?? []),
    }
  })
}

/** A settlement commits the batch, the PU rows, and the closures since the previous one. */
const settlementEvents = (material: Material): ReadonlyArray<Event> => {
  const batches = makeGrowing(
    '.svc/pu/batches.jsonl',
    material.settlements.map(one => `${one.line}\n`),
  )
  const closed = material.sessions.filter(told => told.effects.closed)
  const ledger = makeGrowing('.svc/close/ledger.jsonl', closed.map(closeLine))
  const closedUntil = (day: EpochDay): number => closed.filter(told => told.plan.day + 2 <= day).length
  const first = material.index.length
  return material.settlements.map((settlement, at): Event => {
    const day = settlement.day < adoptedOn ? settlement.day : Math.max(settlement.day, adoptedOn + 1)
    const adopted = settlement.day >= adoptedOn
    return {
      day,
      author: robot,
      message: `pu: rozliczenie ${settlement.month}\n\nSvc-Route: POST /workflows/award-pu`,
      changes: [
        batches.upTo(at + 1),
        ...characterFiles(material.characters, settlement.after, first).map(file => ({
          path: file.path,
          text: file.blocks.join('\n'),
        })),
        ...(adopted ? [ledger.upTo(closedUntil(settlement.day))] : []),
      ],
    }
  })
}

const characterEvents = (material: Material, count: number): ReadonlyArray<Event> =>
  splitEvenly([...material.characterTexts], count).map(
    (part, at): Event => ({
      day: epochDay(2026, 6, 5) + (at % 6),
      author: authorOf(part[0]?.[0].owner),
      message: `postaci: ${part
        .map(([character]) => character.name)
        .slice(0, 3)
        .join(', ')}`,
      changes: part.map(([character, text]) => ({ path: demoCharacterPath(character), text })),
    }),
  )

const setupEvents = (material: Material): ReadonlyArray<Event> => [
  {
    day: began,
    author: robot,
    message: 'początek: format, ustawienia i kontrybutorzy',
    changes: material.setup,
  },
  {
    day: began + 1,
    author: robot,
    message: 'postaci: bloki indeksu',
    changes: characterFiles(
      material.characters,
      firstFigures(material.cast.characters),
      material.index.length,
    ).map(file => ({ path: file.path, text: file.blocks.join('\n') })),
  },
]

/** Makes the whole history in exactly `count` commits, oldest first. */
const demoHistoryOf = (material: Material, count: number): ReadonlyArray<DemoCommit> => {
  const few = Math.max(2, Math.floor(count / 8))
  const fixed = [...setupEvents(material), ...settlementEvents(material)]
  const index = indexEvents(material, few)
  const characters = characterEvents(material, Math.floor(few / 2))
  const rest = count - fixed.length - index.length - characters.length - 1
  const closing: Event = {
    day: epochDay(2026, 6, 13),
    author: robot,
    message: 'rejestr: sesje miejsc\n\nSvc-Route: POST /session-registry/regenerate',
    changes: material.closing,
  }
  const events = [...fixed, ...index, ...characters, ...sessionEvents(material, rest)]
  return [...events.sort((left, right) => left.day - right.day), closing].map((event, at) => ({
    author: event.author,
    at: instantText(event.day, 480 + (at % 720)),
    message: event.message,
    changes: event.changes,
  }))
}

export interface DemoWorldOptions {
  readonly seed: string
  /** If absent, the default world; 1: 2,000 entities and 1,000 sessions, and so on in proportion (N1). */
  readonly scale?: number
}

export interface DemoWorld {
  /** The history of the lore repository, oldest first. */
  readonly commits: ReadonlyArray<DemoCommit>
  /** The history of the works tree. */
  readonly works: ReadonlyArray<DemoCommit>
  /** The history of the annotation tree. */
  readonly annotations: ReadonlyArray<DemoCommit>
  /**
   * Every name in all its cases, by heading, as prose may use it. The shorter name of a person is an alias.
   */
  readonly paradigms: ReadonlyMap<string, ReadonlyArray<Paradigm>>
  /** The transcripts of the archive, with what each line means. */
  readonly transcripts: ReadonlyArray<DemoTranscript>
  readonly sizes: Sizes
}

const tellSessions = (
  sizes: Sizes,
  cast: WorldCast,
  chance: Chance,
  stacks: Parameters<typeof effectsOf>[1],
) => {
  const plans = planSessions(sizes, cast, chance.fork('sessions'))
  const effects = effectsOf(plans, stacks, chance.fork('effects'))
  const prose = chance.fork('prose')
  return plans.flatMap((plan, at): ReadonlyArray<ToldSession> => {
    const own = effects[at]
    return own === undefined ? [] : [{ plan, effects: own, paragraphs: sessionParagraphs(plan.cast, prose) }]
  })
}

/** The day from which closed sessions set a scalar of an entity: its own row ends the day before. */
const movedOf = (sessions: ReadonlyArray<ToldSession>): ReadonlyMap<string, EpochDay> =>
  new Map(
    sessions
      .filter(told => told.effects.closed)
      .flatMap(told =>
        told.effects.changes
          .filter(change => change.tags.some(({ tag }) => tag === 'lokacja' || tag === 'należy_do'))
          .map(change => [change.entity, told.plan.day] as const),
      ),
  )

const characterTexts = (
  cast: WorldCast,
  sessions: ReadonlyArray<ToldSession>,
  chance: Chance,
): ReadonlyMap<DemoCharacter, string> => {
  const headers = headersByHero(cast, sessions)
  return new Map(
    cast.characters.map(character => [
      character,
      characterText({ cast, headers: headers.get(character.name) ?? [], chance }, character),
    ]),
  )
}

const makeClosingFiles = (
  cast: WorldCast,
  sessions: ReadonlyArray<ToldSession>,
  threads: ThreadFiles,
  chance: Chance,
): ReadonlyArray<Change> => [
  { path: '.svc/permissions.json', text: permissionsText(cast, chance) },
  draftText(cast, chance),
  ...demoRegistryFiles(
    sessions
      .filter(told => told.plan.generation !== 'Gen1')
      .map(told => ({
        header: told.plan.header,
        day: told.plan.day,
        path: primaryPath(told, threads),
        places: told.plan.places,
      })),
  ),
]

const paradigmsOf = (cast: WorldCast): DemoWorld['paradigms'] => {
  const paradigms = new Map<string, ReadonlyArray<Paradigm>>()
  for (const entry of [...cast.places, ...cast.regions, ...cast.groups, ...cast.things])
    paradigms.set(entry.name, [entry.role.full])
  for (const person of [...cast.npcs, ...cast.characters])
    paradigms.set(person.name, [person.role.full, person.role.short])
  return paradigms
}

/** A lore repository and its works tree with their histories; depends only on seed and scale. */
export const demoWorld = (options: DemoWorldOptions): DemoWorld => {
  const sizes = sizesOf(options.scale ?? null)
  const chance = chanceOf(`${options.seed}/${options.scale ?? 'start'}`)
  const cast = castOf(sizes, chance.fork('cast'))
  const stacks = demoStacksOf(sizes, cast, chance.fork('stacks'))
  const sessions = tellSessions(sizes, cast, chance, stacks)
  const threads = threadFiles(sessions, chance.fork('threads'))
  const transcripts = demoTranscripts(sessions, chance.fork('transcripts'))
  const moved = movedOf(sessions)
  const groups = groupBlocks(cast, chance.fork('groups'))
  const blocks = loreBlocks(sizes, cast, stacks, groups, moved, chance.fork('index'))
  const commits = demoHistoryOf(
    {
      cast,
      sessions,
      threads,
      settlements: settleMonths(sessions, cast.characters),
      index: inFiles(blocks.map(demoBlockText), 0),
      characters: characterBlocks(cast, moved, chance.fork('characters')),
      characterTexts: characterTexts(cast, sessions, chance.fork('files')),
      setup: [
        { path: '.gitignore', text: ignoreText },
        { path: '.svc/config.json', text: configText },
        { path: '.svc/format.json', text: formatText },
        { path: '.svc/location-exclusions.txt', text: exclusionsText },
        playersLedger(cast, chance.fork('players ledger')),
        { path: '.svc/roles.json', text: rolesText },
        { path: 'kontrybutorzy.md', text: contributorsText(cast, chance.fork('contributors')) },
        ...languageFiles(cast),
        ...documentFiles(cast, groups),
      ],
      closing: [
        ...makeClosingFiles(cast, sessions, threads, chance.fork('closing')),
        { path: '.svc/money/moves.jsonl', text: moveLines(sessions, stacks, cast.groups) },
        ...archiveFiles(transcripts),
      ],
    },
    sizes.commits,
  )
  const works = worksCommits(cast, chance.fork('works'))
  return {
    commits,
    works,
    annotations: annotationCommits(commits, works),
    paradigms: paradigmsOf(cast),
    transcripts,
    sizes,
  }
}

/**
 * A draft that a player submitted (`POST /sessions/report`): it is below `zgłoszenia/` and is not a session.
 */
const draftText = (cast: WorldCast, chance: Chance): Change => {
  const reporter = chance.pick(cast.characters)
  const place = chance.pick(cast.places)
  const header = `### 2026-06-11, Spotkanie w drodze, ${reporter.owner.nick}`
  const { nom } = reporter.role.full.forms
  const prose = `${nom} prosi o wpisanie rozmowy, która odbyła się niedaleko ${place.role.full.forms.gen}.`
  return {
    path: `zgłoszenia/2026-06-11-${slug(reporter.given)}.md`,
    text: `${header}\n\n${prose}\n`,
  }
}
