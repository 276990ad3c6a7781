import type { Chance } from '../chance.js'
import type { Change } from '../commit.js'
import type { CastEntry, WorldCast } from '../people/cast.js'
import { slug } from '../slug.js'
import { type Cast, type Mentions, type Role, renderTemplate, type Template } from '../template.js'
import type { DocumentKind, DocumentPart } from './document-kind.js'
import { guideFiles } from './guides.js'
import { chronicles, legends, letters } from './tales.js'
import { herbal, statutes, townDescriptions } from './treatises.js'
import { unwrapText } from './unwrap.js'

const kinds: ReadonlyArray<DocumentKind> = [chronicles, legends, letters, townDescriptions, statutes, herbal]

/** The 37 documents of the works tree beside the three regulations, two of them scans. */
export const libraryFiles = (cast: WorldCast, chance: Chance): ReadonlyArray<Change> => [
  ...kinds.flatMap(kind => writeDocuments(kind, cast, chance.fork(kind.folder))),
  ...guideFiles,
  ...scanFiles,
]

interface ScannedPage {
  readonly text: string
  /** How sure the reader of the scan was, from 0 to 1. */
  readonly confidence: number
}

interface Scan {
  readonly file: string
  readonly pages: ReadonlyArray<ScannedPage>
}

const page = (confidence: number, text: string): ScannedPage => ({
  text: unwrapText(text),
  confidence,
})

/** Each has a page below the floor of `scrape.pdf_confidence_floor`, whose text is not searched. */
const scans: ReadonlyArray<Scan> = [
  {
    file: 'skany/rejestr-celny',
    pages: [
      page(
        0.94,
        `Rejestr celny komory przy Wielkim Moście. Przywieziono: dwanaście beczek śledzi, cztery bele sukna,
        skrzynię gwoździ. Cło pobrano w soli, gdyż monet brakowało w całym mieście.`,
      ),
      page(
        0.81,
        `Dnia następnego zatrzymano wóz bez właściciela. Pod słomą leżały trzy posągi z alabastru, owinięte
        w żaglowe płótno. Odwieziono je do komory i opieczętowano.`,
      ),
      page(0.22, 'P0s qgi znikn eły w n0cy, str aż nic n1e słysz ała.'),
    ],
  },
  {
    file: 'skany/dziennik-latarnika',
    pages: [
      page(
        0.88,
        `Dziennik latarnika. Pierwszej nocy mgła tak gęsta, że nie widać własnych rąk. Dzwoniłem co kwadrans.
        Odpowiedział róg, którego nie ma na żadnym ze znanych mi statków.`,
      ),
      page(0.31, 'Dr ugiej n0cy r6g o dezw ał s ię bliżej.'),
      page(
        0.9,
        `Ósmej nocy przypłynęła łódź pełna suchych liści. Nie było w niej nikogo, a na burcie ktoś wyrył
        nazwę naszej przystani, zapisaną od końca.`,
      ),
    ],
  },
]

/** A page without text, as of a scanner: the daemon reads only what is in the file beside it. */
const blankPdf = [
  '%PDF-1.4',
  '1 0 obj <</Type /Catalog /Pages 2 0 R>> endobj',
  '2 0 obj <</Type /Pages /Kids [3 0 R] /Count 1>> endobj',
  '3 0 obj <</Type /Page /Parent 2 0 R /MediaBox [0 0 595 842]>> endobj',
  'trailer <</Root 1 0 R>>',
  '%%EOF',
  '',
].join('\n')

const scanFiles: ReadonlyArray<Change> = scans.flatMap(({ file, pages }) => [
  { path: `${file}.pdf`, text: blankPdf },
  { path: `${file}.pdf.json`, text: `${JSON.stringify({ pages }, null, 2)}\n` },
])

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
const writeDocuments = (kind: DocumentKind, cast: WorldCast, chance: Chance): ReadonlyArray<Change> => {
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
