import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Tactic } from '../caller-case.js'
import { growthViolations } from '../verdicts/cost.js'
import { segment } from './path.js'

/** Bytes on disk of the files below a folder; a file that goes meanwhile has none. */
const bytesBelow = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false }))
    .reduce((sum, found) => sum + (found?.blocks ?? 0) * 512, 0)

const writesAtScaleOne = 192

/** The smallest writes that a player may make, again and again, and searches that find nothing. */
export const growth: Tactic = async ({ own, scale, trial, fire }) => {
  const { repo, state } = trial.subject
  const places = [
    ['.git', () => bytesBelow(join(repo, '.git'))],
    ['the state area', () => bytesBelow(state)],
  ] as const
  const before = places.map(([, weigh]) => weigh())
  const character = `/characters/${segment(own ?? '')}`
  for (let at = 0; at < Math.ceil(writesAtScaleOne * scale); at += 1) {
    await fire({ method: 'PATCH', path: character, body: { tag: 'stan', value: `Stan ${at}` } })
    if (at % 4 > 0) continue
    const report = { date: '2026-05-15', title: `Droga ${at}`, narrators: ['Bajarka'], content: 'Tak.' }
    await fire({ method: 'POST', path: '/sessions/report', body: report })
    await fire({ method: 'GET', path: `/search?q=${segment(`niczego ${at}`)}` })
  }
  for (const [at, [what, weigh]] of places.entries())
    for (const one of growthViolations(what, before[at] ?? 0, weigh())) trial.violate(one)
}
