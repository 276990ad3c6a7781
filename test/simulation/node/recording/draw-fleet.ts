import type { HostLook } from '../fleet/host-looks.js'

/**
 * A run of a fleet as text, from the events of its trace: time goes down, hosts stand across. A cell is drawn where a
 * host changed; below it a bar goes on while the host is as it was.
 */

const cellWidth = 17
const timeWidth = 5
const minuteMs = 60_000

const legend = [
  'P primary  S stepping down  r replica  L lost  a alone   rw ReadWrite  ro ReadOnly',
  '!Avl: counts this town as dark   >Avl: has an active takeover job for this town',
  '| as before   : stopped (frozen or asleep)   down: no process',
]

const roleLetters = { primary: 'P', 'stepping-down': 'S', replica: 'r', lost: 'L', alone: 'a' } as const

/** Events that are drawn beside the hosts. */
const notable = [
  /^.+ begins for \d+ s$/u,
  /^it hits /u,
  /^[a-z ]+ ends$/u,
  /^a person /u,
  /^forge (?:opens|merges|closes) /u,
  /^\S+ takeover accepted/u,
  /^\S+ asks by itself: accepted/u,
  /^\S+ ends takeover-/u,
  /^\S+ dies at /u,
  /^VIOLATION /u,
]

interface Minute {
  readonly at: number
  readonly looks: Map<string, HostLook>
  readonly happened: Array<string>
}

interface ReadEvent {
  readonly minute: number
  readonly text: string
}

const eventOf = (line: string): ReadEvent => {
  const space = line.indexOf(' ')
  return { minute: Math.floor(Number(line.slice(0, space)) / minuteMs), text: line.slice(space + 1) }
}

const lookOf = (text: string): readonly [string, HostLook] | null => {
  const [, host, json] = /^(\S+) is (\{"state":.*\})$/u.exec(text) ?? []
  // The trace has what `HostLooks.say` wrote.
  return host === undefined || json === undefined ? null : [host, JSON.parse(json) as HostLook]
}

const short = (town: string): string => town.slice(0, 3)

const drawLook = ({ state, role, mode, dark, job }: HostLook): string => {
  if (state === 'down') return 'down'
  const parts = [
    role === null ? '?' : roleLetters[role],
    mode === 'ReadWrite' ? 'rw' : 'ro',
    ...(dark.length === 0 ? [] : [`!${dark.map(short).join('!')}`]),
    ...(job === null ? [] : [`>${short(job)}`]),
  ]
  return `${state === 'stopped' ? ':' : ''}${parts.join(' ')}`
}

const barOf = (look: HostLook | undefined): string => {
  if (look === undefined || look.state === 'down') return ''
  return look.state === 'stopped' ? ':' : '|'
}

const cell = (text: string): string =>
  text.length < cellWidth ? text.padEnd(cellWidth) : `${text.slice(0, cellWidth - 2)}… `

const collectMinutes = (lines: ReadonlyArray<string>): ReadonlyArray<Minute> => {
  const minutes = new Map<number, Minute>()
  for (const { minute: at, text } of lines.map(eventOf)) {
    const look = lookOf(text)
    if (look === null && !notable.some(pattern => pattern.test(text))) continue
    const minute = minutes.get(at) ?? { at, looks: new Map<string, HostLook>(), happened: [] }
    minutes.set(at, minute)
    if (look === null) minute.happened.push(text)
    else minute.looks.set(...look)
  }
  return [...minutes.values()]
}

/** Draws the events of a fleet, in their order. */
export const drawFleet = (lines: ReadonlyArray<string>): string => {
  const minutes = collectMinutes(lines)
  const hosts = [...new Set(minutes.flatMap(({ looks }) => [...looks.keys()]))]
  const known = new Map<string, HostLook>()
  const rowsOf = ({ at, looks, happened }: Minute): ReadonlyArray<string> => {
    for (const [host, look] of looks) known.set(host, look)
    const cells = hosts.map(host => {
      const look = looks.get(host)
      return cell(look === undefined ? barOf(known.get(host)) : drawLook(look))
    })
    const bars = hosts.map(host => cell(barOf(known.get(host))))
    const [first = '', ...others] = happened
    return [
      `${String(at).padStart(timeWidth - 2)}  ${cells.join('')}${first}`,
      ...others.map(text => `${' '.repeat(timeWidth)}${bars.join('')}${text}`),
    ]
  }
  const head = `${'min'.padEnd(timeWidth)}${hosts.map(cell).join('')}what happened`
  return [...legend, '', head, ...minutes.flatMap(rowsOf)].map(row => row.trimEnd()).join('\n')
}
