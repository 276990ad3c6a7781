import { deepEqual } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { documents } from './sources.js'

const folder = 'docs/decisions/'
const decisions = documents.filter(({ path }) => path.startsWith(folder) && !path.endsWith('README.md'))
const title = (text: string): string => /^# (\d{4} .+)$/m.exec(text)?.[1] ?? ''

describe('the decisions', () => {
  it('are named by their number, one each', () => {
    deepEqual(
      decisions
        .filter(({ path, text }) => !title(text).startsWith(path.slice(folder.length, folder.length + 4)))
        .map(one => one.path),
      [],
    )
    const numbers = decisions.map(({ path }) => path.slice(folder.length, folder.length + 4))
    deepEqual(numbers.length, new Set(numbers).size)
  })

  it('stand in the index in their order', () => {
    const index = documents.find(({ path }) => path === `${folder}README.md`)?.text ?? ''
    const listed = [...index.matchAll(/^- \[(\d{4} .+)\]\((.+)\)$/gm)].map(found => [found[1], found[2]])
    const expected = decisions.map(({ path, text }) => [title(text), path.slice(folder.length)]).sort()
    deepEqual(listed, expected)
  })
})
