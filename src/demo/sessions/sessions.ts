import { dayText, epochDay, instantText, monthText } from '../calendar.js'
import type { Chance } from '../chance.js'
import { type Growing, makeGrowing } from '../commit.js'
import { slug } from '../names/names.js'
import type { Stack, WorldCast } from '../people/cast.js'
import {
  arrival,
  chase,
  council,
  deal,
  discovery,
  ending,
  fight,
  inquiry,
  night,
  rite,
  road,
  type Scene,
  type Sentence,
  talk,
} from '../prose/scenes.js'
import { explanations, intel, intros, leads } from '../prose/tables.js'
import { type Cast, type Mentions, renderTemplate } from '../template.js'
import type { PlannedSession } from './session-plan.js'

/** `@Zmiany` of one entity, values as written. */
interface PlannedChange {
  readonly entity: string
  readonly tags: ReadonlyArray<{ readonly tag: string; readonly value: string }>
}

/** What the block of a session states after its prose. */
interface ToldEffects {
  readonly logs: ReadonlyArray<string>
  /** Hundredths of a PU. */
  readonly points: ReadonlyArray<{ readonly character: string; readonly cents: number }>
  readonly changes: ReadonlyArray<PlannedChange>
  readonly transfers: ReadonlyArray<{
    readonly amount: number
    readonly of: string
    readonly from: string
    readonly to: string
  }>
  readonly intel: ReadonlyArray<{ readonly target: string; readonly message: string }>
  readonly explanations: ReadonlyArray<string>
  /** Whether it is in the close ledger. */
  readonly closed: boolean
  /** Whether it was written down after its month was settled (FORMATS 6.1). */
  readonly late: boolean
}

/** Sessions from this day on are not closed yet. */
const openSince = epochDay(2026, 5, 22)

/** Months after this one are not settled yet; its last session was late for that. */
export const settledUntil = '2026-05'

/** Sessions from this day on award PU. */
const pointsSince = epochDay(2023, 1, 1)

/**
 * The result of earlier sessions: the entities whose scalar rows were changed, and the amount of each stack.
 */
interface Books {
  readonly moved: Set<string>
  readonly balances: Map<string, number>
}

const logsOf = (session: PlannedSession, chance: Chance): ReadonlyArray<string> => {
  const saver = chance.pick(session.heroes)
  const saved = dayText(session.day + chance.whole(0, 2))
  const count = chance.pick([0, 1, 1, 1, 1, 2])
  return Array.from(
    { length: count },
    (_, at) => `https://logi.example.org/${saved}-${slug(saver.name)}${at === 0 ? '' : `-${at + 1}`}`,
  )
}

const pointsOf = (session: PlannedSession, chance: Chance): ToldEffects['points'] =>
  session.day < pointsSince
    ? []
    : session.heroes.map(hero => ({ character: hero.name, cents: chance.whole(4, 22) * 5 }))

const condition = ['Ranny', 'Wyczerpany', 'Pod klątwą', 'W gorączce']

const changesOf = (session: PlannedSession, books: Books, chance: Chance): ReadonlyArray<PlannedChange> => {
  const changes: Array<PlannedChange> = []
  const [hero, other, place, group] = [
    session.heroes[0],
    session.others[0],
    session.places[0],
    session.groups[0],
  ]
  if (hero === undefined || other === undefined || place === undefined || group === undefined) return changes
  if (chance.truth(0.35) && !books.moved.has(session.thing.name)) {
    books.moved.add(session.thing.name)
    changes.push({ entity: session.thing.name, tags: [{ tag: 'należy_do', value: hero.name }] })
  }
  if (chance.truth(0.3) && !books.moved.has(other.name)) {
    books.moved.add(other.name)
    changes.push({
      entity: other.name,
      tags: [
        { tag: 'lokacja', value: place.name },
        { tag: 'grupa', value: group.name },
      ],
    })
  }
  const month = monthText(session.day)
  if (chance.truth(0.2) && !books.moved.has(`${hero.name} ${month}`)) {
    books.moved.add(`${hero.name} ${month}`)
    changes.push({
      entity: hero.name,
      tags: [{ tag: 'stan', value: `${chance.pick(condition)} (${month}:${month})` }],
    })
  }
  return changes
}

/** A payment between two participants with stacks of the same denomination; never more than the payer has. */
const transfersOf = (
  session: PlannedSession,
  stacks: ReadonlyMap<string, ReadonlyArray<Stack>>,
  books: Books,
  chance: Chance,
): ToldEffects['transfers'] => {
  const own = [...session.heroes, ...session.groups].flatMap(one => stacks.get(one.name) ?? [])
  const payer = own[0]
  const payee = own.find(stack => stack.short === payer?.short && stack.owner !== payer.owner)
  if (payer === undefined || payee === undefined || chance.truth(0.4)) return []
  const held = books.balances.get(payer.name) ?? payer.opening
  const amount = chance.whole(1, 9)
  if (held < amount) return []
  books.balances.set(payer.name, held - amount)
  books.balances.set(payee.name, (books.balances.get(payee.name) ?? payee.opening) + amount)
  return [{ amount, of: payer.short, from: payer.owner, to: payee.owner }]
}

const intelOf = (session: PlannedSession, chance: Chance): ToldEffects['intel'] => {
  if (!chance.truth(session.generation === 'Gen4' ? 0.5 : 0.15)) return []
  const message = renderTemplate(chance.pick(intel), session.cast, { told: new Set() }, chance)
  const target = chance.pick([
    `Grupa/${session.groups[0]?.name ?? ''}`,
    `Lokacja/${session.places[0]?.name ?? ''}`,
    session.heroes[1]?.name ?? '',
  ])
  return [{ target, message }]
}

const pickExplanations = (cast: Cast, chance: Chance): ReadonlyArray<string> =>
  chance.truth(0.25)
    ? chance
        .some(explanations, chance.whole(1, 2))
        .map(text => renderTemplate(text, cast, { told: new Set() }, chance))
    : []

/** The effects of the sessions, given oldest first. */
export const effectsOf = (
  sessions: ReadonlyArray<PlannedSession>,
  stacks: ReadonlyArray<Stack>,
  chance: Chance,
): ReadonlyArray<ToldEffects> => {
  const books: Books = { moved: new Set(), balances: new Map() }
  const byOwner = new Map<string, ReadonlyArray<Stack>>()
  for (const stack of stacks) byOwner.set(stack.owner, [...(byOwner.get(stack.owner) ?? []), stack])
  const last = sessions.findLast(session => monthText(session.day) === settledUntil)
  return sessions.map(session => {
    const late = session === last
    const modern = session.generation === 'Gen3' || session.generation === 'Gen4'
    return {
      logs: logsOf(session, chance),
      points: pointsOf(session, chance),
      changes: modern ? changesOf(session, books, chance) : [],
      transfers: modern ? transfersOf(session, byOwner, books, chance) : [],
      intel: modern ? intelOf(session, chance) : [],
      explanations: modern ? pickExplanations(session.cast, chance) : [],
      closed: session.day < openSince && !late,
      late,
    }
  })
}

/** A session with its prose; its text depends on the generation (FORMATS 4.2, 4.3, 4.9). */
export interface ToldSession {
  readonly plan: PlannedSession
  readonly effects: ToldEffects
  readonly paragraphs: ReadonlyArray<string>
}

const decimal = (cents: number, point: string): string => {
  const whole = Math.floor(cents / 100)
  const rest = String(cents % 100)
    .padStart(2, '0')
    .replace(/0$/, '')
  return rest === '0' || rest === '' ? `${whole}` : `${whole}${point}${rest}`
}

const block = (name: string, children: ReadonlyArray<string>): ReadonlyArray<string> =>
  children.length === 0 ? [] : [`- ${name}:`, ...children.map(child => `    - ${child}`)]

/** The children of Zmiany, with their tags one level deeper. */
const changesBlock = (name: string, changes: ToldEffects['changes']): ReadonlyArray<string> =>
  changes.length === 0
    ? []
    : [
        `- ${name}:`,
        ...changes.flatMap(change => [
          `    - ${change.entity}`,
          ...change.tags.map(({ tag, value }) => `        - @${tag}: ${value}`),
        ]),
      ]

const metadata = (told: ToldSession, at: '' | '@'): ReadonlyArray<string> => {
  const { plan, effects } = told
  const point = at === '' ? ',' : '.'
  return [
    ...block(
      at === '' ? 'Lokalizacje' : '@Lokacje',
      plan.places.map(place => place.name),
    ),
    ...block(`${at}Logi`, effects.logs),
    ...block(
      `${at}PU`,
      effects.points.map(entry => `${entry.character}: ${decimal(entry.cents, point)}`),
    ),
    ...changesBlock(`${at}Zmiany`, effects.changes),
    ...effects.transfers.map(
      paid => `- ${at}Transfer: ${paid.amount} ${paid.of}, ${paid.from} -> ${paid.to}`,
    ),
    ...block(
      `${at}Intel`,
      effects.intel.map(entry => `${entry.target}: ${entry.message}`),
    ),
  ]
}

const plainLogs = (logs: ReadonlyArray<string>): ReadonlyArray<string> => logs.map(log => `Logi: ${log}`)

const parts = (told: ToldSession): ReadonlyArray<ReadonlyArray<string>> => {
  const { plan, effects, paragraphs } = told
  const prose = paragraphs.map(text => [text])
  switch (plan.generation) {
    case 'Gen1':
      return [...prose, plainLogs(effects.logs)]
    case 'Gen2': {
      const places = plan.places.map(place => place.name).join(', ')
      const points = metadata({ ...told, effects: { ...effects, logs: [] } }, '').filter(
        (_, at, lines) => at >= lines.indexOf('- PU:'),
      )
      return [
        [`*${plan.places.length > 1 ? 'Lokalizacje' : 'Lokalizacja'}: ${places}*`],
        ...prose,
        plainLogs(effects.logs),
        effects.points.length === 0 ? [] : points,
      ]
    }
    case 'Gen3':
      return [metadata(told, ''), block('Objaśnienia', effects.explanations), ...prose]
    case 'Gen4':
      return [...prose, metadata(told, '@'), block('Objaśnienia', effects.explanations)]
  }
}

/** The block of a session with its header, ending in one newline. */
const sessionText = (told: ToldSession): string =>
  `${[[`### ${told.plan.header}`], ...parts(told)]
    .filter(lines => lines.length > 0)
    .map(lines => lines.join('\n'))
    .join('\n\n')}\n`

/** The second copy: complete, or cut after the second paragraph, as people copy sessions. */
const copyText = (told: ToldSession): string =>
  sessionText(told.plan.copy?.shorter === true ? { ...told, paragraphs: told.paragraphs.slice(0, 2) } : told)

const middles: ReadonlyArray<Scene> = [talk, deal, council, rite, inquiry, fight, discovery, chase, night]

/** The least bytes of prose in a session; N1 requires 2 KB. */
const leastBytes = 2100

const utf8 = (text: string): number => Buffer.byteLength(text, 'utf8')

const lowerFirst = (text: string, cast: Cast): string => {
  const first = text.split(/[ ,]/u, 1)[0] ?? ''
  const isName = Object.values(cast).some(role =>
    [role.full, role.short].some(paradigm =>
      Object.values(paradigm.forms).some(form => form === first || form.startsWith(`${first} `)),
    ),
  )
  return isName ? text : text.charAt(0).toLowerCase() + text.slice(1)
}

const renderSentence = (sentence: Sentence, cast: Cast, mentions: Mentions, chance: Chance): string => {
  const text = renderTemplate(sentence.template, cast, mentions, chance)
  return sentence.leads && chance.truth(0.3) ? `${chance.pick(leads)} ${lowerFirst(text, cast)}` : text
}

const paragraph = (scene: Scene, length: number, cast: Cast, chance: Chance): string => {
  const mentions: Mentions = { told: new Set() }
  const sentences = [chance.pick(scene.open), ...chance.some(scene.next, length)]
  return sentences.map(sentence => renderSentence(sentence, cast, mentions, chance)).join(' ')
}

/** Writes the prose of a session: paragraphs, each a scene, from the road to the end. */
export const sessionParagraphs = (cast: Cast, chance: Chance): ReadonlyArray<string> => {
  const paragraphs = [paragraph(chance.truth(0.5) ? road : arrival, chance.whole(3, 4), cast, chance)]
  const closing = paragraph(ending, chance.whole(2, 3), cast, chance)
  let bytes = utf8(paragraphs[0] ?? '') + utf8(closing)
  for (const scene of chance.some(middles, middles.length)) {
    if (bytes >= leastBytes) break
    const next = paragraph(scene, chance.whole(3, 4), cast, chance)
    paragraphs.push(next)
    bytes += utf8(next)
  }
  return [...paragraphs, closing]
}

/** Sessions older than this day were recorded as closed by adoption (FORMATS 9, step 9). */
export const adoptedOn = epochDay(2024, 1, 2)

const paidOf = ({ amount, of, from, to }: ToldSession['effects']['transfers'][number]) => ({
  amount,
  denomination: of,
  source: from,
  destination: to,
})

/** The line of the close ledger of a closed session (LAYOUT). */
export const closeLine = ({ plan, effects }: ToldSession): string => {
  const adopted = plan.day < adoptedOn
  const line = {
    header: plan.header,
    op: 'close',
    at: adopted ? instantText(adoptedOn, 12 * 60) : instantText(plan.day + 2, 20 * 60),
    by: adopted ? 'adoption' : (plan.narrators[0]?.nick ?? ''),
    source: adopted ? 'adoption' : 'close',
    // What adoption records is never executed again (docs/spec/adoption.md#formats-9).
    transfers: adopted ? [] : effects.transfers.map(paidOf),
    intel: adopted ? [] : effects.intel.map(({ target }) => ({ target })),
  }
  return `${JSON.stringify(line)}\n`
}

/**
 * The lines of `.svc/money/moves.jsonl`: groups pay people beside the sessions, after them, and no more than the
 * purse holds then.
 */
export const moveLines = (
  sessions: ReadonlyArray<ToldSession>,
  stacks: ReadonlyArray<Stack>,
  groups: WorldCast['groups'],
): string => {
  const paid = sessions.flatMap(told => told.effects.transfers)
  return groups
    .flatMap(({ name }) => stacks.filter(stack => stack.owner === name))
    .flatMap(({ short, owner: source, opening }, at) => {
      const payee = stacks.find(one => one.short === short && one.owner !== source)
      const spent = paid.reduce((sum, one) => sum + (one.from === source ? one.amount : 0), 0)
      if (payee === undefined || opening - spent < 5) return []
      const transfers = [paidOf({ amount: 5, of: short, from: source, to: payee.owner })]
      const id = `2026-06-12-zold-${at + 1}`
      const line = {
        id,
        at: instantText(movedOn, 600 + at),
        day: dayText(movedOn),
        by: 'Kronika',
        reason: 'Żołd',
      }
      return [`${JSON.stringify({ ...line, transfers })}\n`]
    })
    .join('')
}

const movedOn = epochDay(2026, 6, 12)

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
