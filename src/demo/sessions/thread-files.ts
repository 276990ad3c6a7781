import type { Chance } from '../chance.js'
import { type Growing, makeGrowing } from '../growing.js'
import type { WorldCast } from '../people/cast.js'
import { intros } from '../prose/tables.js'
import { renderTemplate } from '../template.js'
import { copyText, sessionText, type ToldSession } from './session-text.js'

/**
 * The session files of a world; `touched[i]`: the files that session `i` extends, and their number of pieces
 * afterwards.
 */
export interface ThreadFiles {
  readonly files: ReadonlyArray<Growing>
  readonly touched: ReadonlyArray<ReadonlyArray<{ readonly file: number; readonly count: number }>>
}

const titleThread = (first: ToldSession, at: number): { readonly path: string; readonly title: string } => {
  const place = first.plan.places[1] ?? first.plan.places[0]
  const name = place?.name ?? 'Świat'
  const number = String(at + 1).padStart(3, '0')
  return { path: `Wątki/${first.plan.generation.replace('Gen', 'Cykl ')}/${number} ${name}.md`, title: name }
}

const intro = (first: ToldSession, title: string, chance: Chance): string =>
  `# ${title}\n\n${renderTemplate(chance.pick(intros), first.plan.cast, { told: new Set() }, chance)}\n`

/** Appends each session, and the second copy of some, to its file. */
export const threadFiles = (sessions: ReadonlyArray<ToldSession>, chance: Chance): ThreadFiles => {
  const pieces: Array<Array<string>> = []
  const heads: Array<ToldSession> = []
  const put = (file: number, told: ToldSession, text: string): { file: number; count: number } => {
    heads[file] = heads[file] ?? told
    const own = pieces[file] ?? []
    pieces[file] = own
    own.push(`\n${text}`)
    return { file, count: own.length }
  }
  const touched = sessions.map(told => {
    const { copy } = told.plan
    const first = put(told.plan.file, told, sessionText(told))
    return copy === null ? [first] : [first, put(copy.file, told, copyText(told))]
  })
  const files = pieces.map((own, at) => {
    const head = heads[at]
    if (head === undefined) throw new Error('a session file without a session')
    const { path, title } = titleThread(head, at)
    const [opening = '', ...rest] = own
    return makeGrowing(path, [`${intro(head, title, chance)}${opening}`, ...rest])
  })
  return { files, touched }
}

/**
 * The path of the primary copy. All copies have the same fields, so the first path is primary (FORMATS 4.4).
 */
export const primaryPath = (told: ToldSession, files: ThreadFiles): string => {
  const paths = [told.plan.file, ...(told.plan.copy === null ? [] : [told.plan.copy.file])].map(
    at => files.files[at]?.path ?? '',
  )
  return paths.sort()[0] ?? ''
}

/** The headers of each character's sessions, oldest first. */
export const headersByHero = (
  cast: WorldCast,
  sessions: ReadonlyArray<ToldSession>,
): ReadonlyMap<string, ReadonlyArray<string>> => {
  const headers = new Map<string, Array<string>>(cast.characters.map(character => [character.name, []]))
  for (const { plan } of sessions) for (const hero of plan.heroes) headers.get(hero.name)?.push(plan.header)
  return headers
}
