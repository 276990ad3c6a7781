import { deepEqual, equal } from 'node:assert/strict'
import { left, right } from 'fp-ts/lib/Either.js'
import { describe, it } from 'mocha'
import type { Landing } from '#src/ports/landing.js'
import { commitId } from '#test/support/commit-id.js'
import { repoPathOf } from '#test/support/landing-rig.js'
import { type LookPorts, lookAtHead } from './look.js'

type Found = Awaited<ReturnType<Landing['look']>>

const path = repoPathOf('encje/a.md')
const at = (number: number) => commitId(`${number}`.padStart(40, '0'))

/** A checkout whose looks find these in turn, the last one for ever; HEAD is at another commit at each. */
const checkoutThatFinds = (...all: ReadonlyArray<Found>) => {
  let heads = 0
  const bases: Array<string | null> = []
  const ports: LookPorts = {
    landing: {
      ended: () => Promise.resolve(),
      look: base => {
        bases.push(base)
        return Promise.resolve(all[bases.length - 1] ?? all[all.length - 1] ?? right(new Set()))
      },
    },
    headFiles: paths => {
      heads += 1
      return Promise.resolve({ commit: at(heads), files: paths.map(one => ({ path: one, before: null })) })
    },
  }
  return { ports, bases }
}

describe('the look at HEAD of a dry run', () => {
  it('compares with what HEAD names at each look, however often it moves', async () => {
    const { ports, bases } = checkoutThatFinds(
      left({ _tag: 'Busy' }),
      left({ _tag: 'Moved' }),
      right(new Set([path])),
    )
    const look = await lookAtHead(ports, [path])
    deepEqual(look, right({ files: [{ path, before: null }], dirty: new Set([path]) }))
    deepEqual(bases, [at(1), at(2), at(3)])
  })

  it('ends, and says whether this host or another program kept it from looking', async () => {
    const busy = checkoutThatFinds(left({ _tag: 'Busy' }), left({ _tag: 'Moved' }))
    deepEqual(await lookAtHead(busy.ports, [path]), left({ _tag: 'Disturbed', by: 'this host' }))
    const moved = checkoutThatFinds(left({ _tag: 'Moved' }))
    deepEqual(await lookAtHead(moved.ports, [path]), left({ _tag: 'Disturbed', by: 'another program' }))
    equal(moved.bases.length, 32)
  })

  it('fails at once with a failure that another look does not mend', async () => {
    const { ports, bases } = checkoutThatFinds(left({ _tag: 'Detached' }))
    deepEqual(await lookAtHead(ports, [path]), left({ _tag: 'Detached' }))
    equal(bases.length, 1)
    const headless = { ...ports, headFiles: () => Promise.resolve(null) }
    deepEqual(await lookAtHead(headless, [path]), left({ _tag: 'NoHead' }))
  })
})
