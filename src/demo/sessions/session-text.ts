import type { ToldEffects } from './session-effects.js'
import type { PlannedSession } from './session-plan.js'

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
export const sessionText = (told: ToldSession): string =>
  `${[[`### ${told.plan.header}`], ...parts(told)]
    .filter(lines => lines.length > 0)
    .map(lines => lines.join('\n'))
    .join('\n\n')}\n`

/** The second copy: complete, or cut after the second paragraph, as people copy sessions. */
export const copyText = (told: ToldSession): string =>
  sessionText(told.plan.copy?.shorter === true ? { ...told, paragraphs: told.paragraphs.slice(0, 2) } : told)
