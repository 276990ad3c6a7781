import type { EpochDay } from './calendar.js'
import { type Chance, chanceOf } from './chance.js'
import type { Change, DemoCommit } from './commit.js'
import { documentFiles } from './documents.js'
import { demoBlockText } from './entities/entity-rows.js'
import { characterBlocks, groupBlocks, inFiles, loreBlocks } from './entities/index-files.js'
import { demoRegistryFiles } from './entities/registry-text.js'
import { demoStacksOf } from './entities/stacks.js'
import { demoHistoryOf } from './history.js'
import { annotationCommits } from './language/annotations.js'
import { languageFiles } from './language/language-files.js'
import type { Paradigm } from './names/cases.js'
import type { DemoCharacter, WorldCast } from './people/cast.js'
import { castOf } from './people/casting.js'
import { characterText } from './people/character-text.js'
import { contributorsText } from './people/contributors.js'
import { playersLedger } from './people/players-ledger.js'
import { settleMonths } from './points.js'
import {
  configText,
  exclusionsText,
  formatText,
  ignoreText,
  permissionsText,
  rolesText,
} from './service-files.js'
import { effectsOf } from './sessions/session-effects.js'
import { planSessions } from './sessions/session-plan.js'
import { sessionParagraphs } from './sessions/session-prose.js'
import type { ToldSession } from './sessions/session-text.js'
import { headersByHero, primaryPath, type ThreadFiles, threadFiles } from './sessions/thread-files.js'
import { type Sizes, sizesOf } from './sizes.js'
import { slug } from './slug.js'
import { worksCommits } from './works.js'

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
      closing: makeClosingFiles(cast, sessions, threads, chance.fork('closing')),
    },
    sizes.commits,
  )
  const works = worksCommits(cast, chance.fork('works'))
  return {
    commits,
    works,
    annotations: annotationCommits(commits, works),
    paradigms: paradigmsOf(cast),
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
