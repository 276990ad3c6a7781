import { deepEqual, equal, throws } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'mocha'
import { node } from '#supervisors/node.js'
import { actorKeys, actors, drawTree, keysUnder, putTree, supervisorOf } from './actors.js'

const architecture = readFileSync(new URL('../../../docs/architecture.md', import.meta.url), 'utf8')

describe('the table of actors', () => {
  it('lists the actors in the order in which the tree starts them', () => {
    deepEqual(
      node.children.flatMap(({ id }) => keysUnder(id)),
      actorKeys,
    )
  })

  it('gives each supervisor a child but the one that follows a list, and no two actors one name', () => {
    deepEqual(
      node.children.filter(({ id }) => keysUnder(id).length === 0).map(({ id }) => id),
      ['peers'],
    )
    equal(new Set(actorKeys.map(key => actors[key].name)).size, actorKeys.length)
  })

  it('makes the children of a supervisor, with their policies', () => {
    deepEqual(supervisorOf('authority'), {
      id: 'authority',
      strategy: 'rest_for_one',
      restartsMax: 3,
      windowMs: 60_000,
      children: [
        { id: 'write-gate', restart: 'permanent', drainMs: 10_000 },
        { id: 'job-runner', restart: 'permanent', drainMs: 10_000, restartsMax: 5 },
        { id: 'repository-sync', restart: 'permanent', drainMs: 4_000 },
        {
          id: 'repository-cleaner',
          restart: 'permanent',
          drainMs: 2_000,
          restartsMax: 3,
          windowMs: 600_000,
          onGiveUp: 'abandon',
        },
      ],
    })
  })

  it('draws the tree that docs/architecture.md shows', () => {
    equal(putTree(architecture), architecture)
    equal(actorKeys.filter(key => !drawTree().includes(` ${actors[key].name} `)).length, 0)
    throws(() => putTree('# A document without markers\n'), /markers/)
  })
})
