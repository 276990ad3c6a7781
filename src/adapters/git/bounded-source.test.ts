import { deepEqual, equal, rejects } from 'node:assert/strict'
import { describe, it } from 'mocha'
import type { TreeSource } from '#src/ports/git.js'
import { boundTreeSource } from './git-source.js'

const silent = (): Promise<never> => new Promise(() => undefined)

describe('a source whose disk stops answering', () => {
  it('fails the question that waits too long, asks nothing while it rests, and asks again after', async () => {
    let nowMs = 0
    let asked = 0
    let answers = false
    const head = { commit: null, id: 'a' }
    const source: TreeSource = {
      kind: 'git',
      path: '/x',
      head: () => {
        asked += 1
        return answers ? Promise.resolve(head) : silent()
      },
      list: silent,
      listAt: silent,
      read: silent,
      file: silent,
      contains: silent,
      close: () => Promise.resolve(),
    }
    const bounded = boundTreeSource(source, { limitMs: 1, restMs: 60_000 }, () => nowMs)
    await rejects(bounded.head(), /dysk nie odpowiada/)
    equal(asked, 1)
    answers = true
    nowMs = 59_999
    await rejects(bounded.head(), /dysk nie odpowiada/)
    equal(asked, 1)
    nowMs = 60_000
    deepEqual(await bounded.head(), head)
    equal(asked, 2)
  })
})
