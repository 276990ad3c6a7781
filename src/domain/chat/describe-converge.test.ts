import { equal, ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { describeConverge, messageCharsMax } from './attempts.js'

describe('what a converge brought, as the chat reads it', () => {
  it('names each person once, and counts those beyond the limit', () => {
    const authors = ['Brzoza', 'Solmyr', 'Brzoza', 'Crag Hack', 'Wit Kłos']
    equal(
      describeConverge({ commits: 5, authors }, 5),
      'Nowe zmiany w kronice: 5. Autorzy: Brzoza, Solmyr, Crag Hack, Wit Kłos.',
    )
    equal(
      describeConverge({ commits: 5, authors }, 2),
      'Nowe zmiany w kronice: 5. Autorzy: Brzoza, Solmyr; inne osoby: 2.',
    )
    equal(describeConverge({ commits: 5, authors }, 0), 'Nowe zmiany w kronice: 5. Autorzy: inne osoby: 4.')
  })

  it('names no actor of the daemon', () => {
    equal(
      describeConverge({ commits: 3, authors: ['kronika', 'chat:1', 'autopilot:alias'] }, 5),
      'Nowe zmiany w kronice: 3.',
    )
  })

  it('shows names as they are written, on one line and short, in a message that the platform takes', () => {
    equal(
      describeConverge({ commits: 1, authors: ['a_b*\u0007[x](http://y)'] }, 5),
      'Nowe zmiany w kronice: 1. Autorzy: a\\_b\\* \\[x\\]\\(http\\://y\\).',
    )
    const authors = Array.from({ length: 1_000 }, (_, at) => `${at}${'*'.repeat(10_000)}`)
    ok(describeConverge({ commits: 1_000, authors }, 1_000_000).length <= messageCharsMax)
  })
})
