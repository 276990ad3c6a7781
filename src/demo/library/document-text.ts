import type { Chance } from '../chance.js'
import type { Change } from '../commit.js'
import type { CastEntry, WorldCast } from '../people/cast.js'
import { slug } from '../slug.js'
import { type Cast, type Mentions, type Role, renderTemplate, type Template } from '../template.js'
import type { DocumentKind, DocumentPart } from './document-kind.js'

/** Which entries the documents of a kind are about: no two documents have one in common. */
interface Subjects {
  readonly towns: ReadonlyArray<CastEntry>
  readonly buildings: ReadonlyArray<CastEntry>
  readonly people: ReadonlyArray<CastEntry>
  readonly groups: ReadonlyArray<CastEntry>
  readonly things: ReadonlyArray<CastEntry>
}

const subjectsOf = (cast: WorldCast, count: number, chance: Chance): Subjects => {
  const placesAt = (depth: number): ReadonlyArray<CastEntry> =>
    chance.some(
      cast.places.filter(place => place.depth === depth),
      count,
    )
  return {
    towns: placesAt(2),
    buildings: placesAt(4),
    people: chance.some(cast.npcs, count * 3),
    groups: chance.some(cast.groups, count * 2),
    things: chance.some(cast.things, count),
  }
}

const castDocument = (subjects: Subjects, at: number): Cast => {
  const roleAt = (all: ReadonlyArray<CastEntry>, position: number): Role => {
    const entry = all[position % all.length]
    if (entry === undefined) throw new Error('a world with too few entries for its documents')
    return entry.role
  }
  const { towns, buildings, people, groups, things } = subjects
  return {
    N: roleAt(people, at * 3),
    M: roleAt(people, at * 3 + 1),
    P: roleAt(people, at * 3 + 2),
    G: roleAt(groups, at * 2),
    H: roleAt(groups, at * 2 + 1),
    K: roleAt(towns, at),
    L: roleAt(buildings, at),
    I: roleAt(things, at),
  }
}

/** Sentences in the order of their table, as a description goes from the general to the particular. */
const drawSentences = (part: DocumentPart, chance: Chance): ReadonlyArray<Template> => {
  const drawn = new Set(chance.some(part.sentences, part.count))
  return part.sentences.filter(sentence => drawn.has(sentence))
}

const partText = (part: DocumentPart, roles: Cast, chance: Chance): string => {
  const mentions: Mentions = { told: new Set() }
  const text = drawSentences(part, chance)
    .map(sentence => renderTemplate(sentence, roles, mentions, chance))
    .join(' ')
  return part.heading === null ? text : `## ${part.heading}\n\n${text}`
}

/** The documents of a kind, each about people and places of its own. */
export const documentsOf = (kind: DocumentKind, cast: WorldCast, chance: Chance): ReadonlyArray<Change> => {
  const subjects = subjectsOf(cast, kind.titles.length, chance)
  return kind.titles.map((title, at): Change => {
    const own = chance.fork(`${kind.folder} ${at}`)
    const roles = castDocument(subjects, at)
    const heading = renderTemplate(title, roles, { told: new Set() }, own)
    const list =
      kind.standing === null
        ? []
        : [`- @diegesis: ${kind.standing.diegesis}\n- @authority: ${kind.standing.authority}`]
    const parts = kind.parts.map(part => partText(part, roles, own))
    return {
      path: `${kind.folder}/${String(at + 1).padStart(2, '0')}-${slug(heading)}.md`,
      text: `${[...list, `# ${heading}`, ...parts].join('\n\n')}\n`,
    }
  })
}
