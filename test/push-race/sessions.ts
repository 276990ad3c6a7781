import type { Ask } from '#test/support/http-client.js'
import { gitIn } from '#test/support/repository.js'
import type { PlanWrite } from './writer.js'

/** The part of the race in which all hosts add the same sessions at once and each goes on editing them. */

const file = 'sesje/2026.md'
const shared = 'Wspólna'
const characterOf = (host: string): string => `Postać ${host}`

/** The world of the race: a file of sessions, and a character for all hosts and one for each. */
export const sessionFiles = (hosts: ReadonlyArray<string>): Readonly<Record<string, string>> => ({
  [file]: '# Sesje\n',
  'encje/postacie.md': [shared, ...hosts.map(characterOf)]
    .map(name => `### ${name}\n- @typ: Postać\n`)
    .join('\n'),
})

/** Each host has a list of its own to edit, which a request replaces as a whole. */
const ownLists: ReadonlyArray<(words: ReadonlyArray<string>) => object> = [
  words => ({ logs: words.map(word => `https://logi.example/${word}`) }),
  words => ({ intel: words.map(word => ({ target: shared, message: word })) }),
  words => ({ locations: words }),
]

const turnsOfSession = 4
const titleOf = (turn: number): string => `Sesja ${turn - (turn % turnsOfSession)}`

/** What one host writes: each fourth turn the session that all others add too, and otherwise its own list of it. */
export const sessionWrites = (host: string, place: number): PlanWrite => {
  const words = new Map<string, Array<string>>()
  return {
    plan: (turn, text) => {
      const title = titleOf(turn)
      const listOf = ownLists[place]
      if (turn % turnsOfSession === 0 || listOf === undefined) {
        const pu = [
          { character: shared, value: 1 },
          { character: characterOf(host), value: 0.5 },
        ]
        const transfers = [{ amount: 5, denomination: 'Korony', source: shared, destination: host }]
        const both = { amount: 7, denomination: 'Korony', source: shared, destination: 'Skarbiec' }
        const metadata = { pu, participants: [text], transfers: [both, ...transfers] }
        const body = { file, date: '2026-05-10', title, narrators: ['N'], content: 'Opis.', metadata }
        return ['/sessions', { method: 'POST', body: JSON.stringify(body) }]
      }
      const own = [...(words.get(title) ?? []), text]
      const ask: Ask = { method: 'PATCH', body: JSON.stringify({ metadata: listOf(own) }) }
      return [`/sessions/${encodeURIComponent(`2026-05-10, ${title}, N`)}`, ask]
    },
    acked: (turn, text) => {
      if (turn % turnsOfSession !== 0) words.set(titleOf(turn), [...(words.get(titleOf(turn)) ?? []), text])
    },
  }
}

/** What of the sessions at the end stands more than once, or with another value than was written. */
export const sessionViolations = (repo: string): ReadonlyArray<string> => {
  const [, ...sections] = gitIn(repo, 'show', `main:${file}`).split(/^(?=### )/mu)
  const headers = sections.map(text => text.split('\n')[0] ?? '')
  const doubles = headers.filter((header, at) => headers.indexOf(header) < at)
  return [
    ...(sections.length === 0 ? ['no session was written'] : []),
    ...doubles.map(header => `"${header}" is two sections`),
    ...sections.flatMap((text, at) => {
      const lines = text.split('\n').slice(1)
      const lists = lines.filter(line => line.startsWith('- ') && !line.startsWith('- @Transfer'))
      const items = lines.filter(line => /^(?: {4})?- |^Opis\.$/u.test(line) && !lists.includes(line))
      const points = items.filter(line => / {4}- (?:Wspólna|Postać .*): [\d.]+$/u.test(line))
      return [
        ...lists.filter((line, place) => lists.indexOf(line) < place),
        ...items.filter((line, place) => items.indexOf(line) < place),
        ...points.filter(line => !line.endsWith(line.includes(shared) ? ': 1' : ': 0.5')),
      ].map(line => `${headers[at]} has "${line.trim()}" once too often, or with another value`)
    }),
  ]
}
