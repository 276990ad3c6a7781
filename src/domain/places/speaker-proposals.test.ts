import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { atOnce } from '#src/domain/slicing/sliced.js'
import { worldOf } from '#test/support/world.js'
import { speakerProposals } from './projection.js'

const session = (day: string, names: ReadonlyArray<string>): string =>
  `### 2026-05-${day}, Most, Brzoza\n\n- @PU:\n${names.map(name => `    - ${name}: 1\n`).join('')}\n`

describe('proposals of speakers', () => {
  it('are the 200 of most sessions', () => {
    const many = Array.from({ length: 5_000 }, (_, at) => `Obcy ${at}`)
    const world = worldOf({
      'sesje/a.md': session('10', [...many, 'Gość']) + session('11', ['Gość', 'Obcy 7']),
    })
    const proposals = atOnce(speakerProposals(world))
    equal(proposals.length, 200)
    deepEqual(
      proposals.slice(0, 2).map(one => [one.Speaker, one.Sessions, one.First, one.Last]),
      [
        ['Gość', 2, '2026-05-10', '2026-05-11'],
        ['Obcy 7', 2, '2026-05-10', '2026-05-11'],
      ],
    )
  })

  it('may rest after each name that is compared', () => {
    const world = worldOf({ 'sesje/a.md': session('10', ['Gość', 'Obcy']) })
    ok([...speakerProposals(world)].length >= 1 + 2)
  })
})
