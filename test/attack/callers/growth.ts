import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { chanceOf } from '#src/demo/chance.js'
import { block, many } from '#test/support/hostile/lore-text.js'
import type { MakeWorld, Tactic } from '../caller-case.js'
import { wholeReads } from '../rows.js'
import { growthViolations } from '../verdicts/cost.js'
import { baseWorld } from '../worlds/base.js'
import { segment } from './path.js'

/** Bytes on disk of the files below a folder; a file that goes meanwhile has none. */
const bytesBelow = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false }))
    .reduce((sum, found) => sum + (found?.blocks ?? 0) * 512, 0)

/** How many blocks of other people the file of the caller has: git stores the whole file again for each write. */
const neighbours = 2_500

/** The base world, with the caller's Postać in a large file. */
export const growingWorld: MakeWorld = seed => {
  const world = baseWorld(seed)
  const chance = chanceOf(`${seed}/growth`)
  const words = (): string => Array.from({ length: 8 }, () => chance.whole(0, 1e9).toString(36)).join(' ')
  const blocks = many(neighbours, at => block('NPC', `Sąsiad ${at}`, `info: ${words()}`))
  return { ...world, files: new Map([...world.files, [index, `${world.files.get(index) ?? ''}\n${blocks}`]]) }
}

const index = 'encje/indeks-90.md'
const writes = 192

/** The smallest writes that a player may make, again and again, and searches that find nothing. */
export const growth: Tactic = async ({ own, token, trial, fire }) => {
  const { repo, state } = trial.subject
  const character = `/characters/${segment(own ?? '')}`
  // What the first write leaves in memory is no growth.
  const first = { method: 'PATCH', path: character, body: { tag: 'stan', value: 'Zdrowy' }, token }
  await trial.fillCache([first, ...wholeReads(token)], [])
  const places = [
    ['.git', () => bytesBelow(join(repo, '.git'))],
    ['the state area', () => bytesBelow(state)],
  ] as const
  const before = places.map(([, weigh]) => weigh())
  for (let at = 0; at < writes; at += 1) {
    await fire({ method: 'PATCH', path: character, body: { tag: 'stan', value: `Stan ${at}` } })
    if (at % 4 > 0) continue
    const report = { date: '2026-05-15', title: `Droga ${at}`, narrators: ['Bajarka'], content: 'Tak.' }
    await fire({ method: 'POST', path: '/sessions/report', body: report })
    await fire({ method: 'GET', path: `/search?q=${segment(`niczego ${at}`)}` })
  }
  for (const [at, [what, weigh]] of places.entries())
    for (const one of growthViolations(what, before[at] ?? 0, weigh())) trial.violate(one)
}
