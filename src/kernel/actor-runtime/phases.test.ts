import { deepEqual, equal, throws } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { nextPhase, type Phase, type PhaseEvent, phases } from './phases.js'

const isPhase = (key: string): key is Phase => Object.hasOwn(phases, key)
const names = Object.keys(phases).filter(isPhase)

const reachableFrom = (start: Phase): ReadonlySet<Phase> => {
  const seen = new Set<Phase>([start])
  for (const phase of seen)
    for (const next of Object.values(phases[phase].on)) if (next !== 'illegal') seen.add(next)
  return seen
}

describe('the phases of an actor', () => {
  it('are all reached from the first', () => {
    deepEqual([...reachableFrom('idle')].sort(), [...names].sort())
  })

  it('let an incarnation fault, stall and end only where one lives', () => {
    const events: ReadonlyArray<PhaseEvent> = ['fault', 'stall', 'end']
    for (const event of events)
      deepEqual(
        names.filter(name => phases[name].on[event] !== 'illegal'),
        ['running', 'draining'],
      )
  })

  it('lead from every phase to closed, which a supervisor that starts again leaves', () => {
    for (const name of names) equal(nextPhase('a', name, 'close'), 'closed')
    equal(nextPhase('a', 'closed', 'start'), 'running')
  })

  it('keep a stuck actor stuck until it starts again', () => {
    equal(nextPhase('a', 'running', 'stall'), 'stuck')
    equal(nextPhase('a', 'stuck', 'supersede'), 'stuck')
  })

  it('refuse an illegal event by the name of the actor', () => {
    throws(() => nextPhase('gate', 'running', 'start'), /lets gate start while it is running/)
    throws(() => nextPhase('gate', 'draining', 'supersede'), /lets gate supersede while it is draining/)
  })
})
