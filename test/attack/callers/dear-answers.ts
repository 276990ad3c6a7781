import type { Tactic } from '../caller-case.js'
import { askingRows, crowdOf } from '../rows.js'
import { aim } from '../worlds/base.js'
import { segment } from './path.js'

const lines = (count: number, of: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => of(at)).join('\n')

const dear = { date: '2026-04-01', title: 'Droga', narrators: ['Bajarka'], file: 'sesje/droga.md' }

/** The diff of a dry run between two proses of as many lines as a session may have, each line another. */
export const dryRunDiff: Tactic = async ({ fire, chance, scale }) => {
  const count = Math.min(9_999, Math.ceil(9_999 * scale))
  const words = Array.from({ length: 7 }, () => String(chance.whole(0, 9_999)))
  await fire({ method: 'POST', path: '/sessions', body: { ...dear, content: lines(count, at => `a${at}`) } })
  const path = `/sessions/${segment('2026-04-01, Droga, Bajarka')}?dryRun=true`
  for (const content of [
    lines(count, at => `b${at}`),
    lines(count, at => `a${count - at}`),
    lines(count, at => `a${(at * 7_919) % count}`),
    lines(count, at => words[at % 7] ?? ''),
  ])
    await fire({ method: 'PATCH', path, body: { content } })
}

/** One header many times in one batch. */
export const oneHeaderOften: Tactic = async ({ fire, token, trial }) => {
  await fire({
    method: 'POST',
    path: '/sessions',
    body: { ...dear, content: lines(9_999, at => `w${at} xxxxxxxx`) },
  })
  const header = '2026-04-01, Droga, Bajarka'
  for (const count of [201, 1_000, 20_000])
    await fire({
      method: 'POST',
      path: '/sessions/batch',
      body: { headers: Array.from({ length: count }, () => header) },
    })
  await fire({
    method: 'POST',
    path: '/sessions/compare',
    body: { headers: Array.from({ length: 1_000 }, () => header) },
  })
  const batch = { headers: Array.from({ length: 200 }, () => header) }
  await trial.volley(
    Array.from({ length: 8 }, () => ({ method: 'POST', path: '/sessions/batch', body: batch, token })),
  )
}

const crowdAtScaleOne = 100

/** Many connections that ask one row at once, row by row, each for something else. */
export const crowds: Tactic = async ({ token, own, trial, scale }) => {
  const names = [...Object.values(aim), ...(own === null ? [] : [own]), 'Ofelja', 'sesje/zatoka.md']
  for (const row of askingRows)
    await trial.crowd(crowdOf(row, token, names, Math.ceil(crowdAtScaleOne * scale)))
}

/** Readers of answers of the whole corpus who take them a few bytes at a time. */
export const slowReaders: Tactic = async ({ token, trial, fire, scale }) => {
  const paths = ['/entities', '/entities/links', '/sessions', '/people', '/locations/graph']
  const shots = Array.from({ length: Math.ceil(40 * scale) }, (_, at) => ({
    method: 'GET',
    path: `${paths[at % paths.length] ?? ''}?limit=${1_000 + at}`,
    token,
    readBytesPerS: 2_000_000,
  }))
  await trial.volley(shots)
  await fire({ method: 'GET', path: `/entities/${segment(aim.character)}` })
}
