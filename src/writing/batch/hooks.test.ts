import { deepEqual, equal } from 'node:assert/strict'
import { left, right } from 'fp-ts/lib/Either.js'
import { describe, it } from 'mocha'
import { refuse } from '#protocol/refusal.js'
import type { ChangeSet } from '#src/domain/lore/changes.js'
import type { FileEdit } from '#src/domain/lore/file-edit.js'
import { batchOf } from '#test/support/batches.js'
import { sourceFile, worldOf } from '#test/support/world.js'
import type { WritePlan } from '../command.js'
import { type BeforeWrite, builtInHooks, findRejection, writtenBytesMaxOf } from './hooks.js'

const writtenBytesMax = writtenBytesMaxOf('a.md')

const index = 'encje/indeks.md'
const world = worldOf({ [index]: '### A\n- @typ: NPC\n' })
const before = sourceFile(index, '### A\n- @typ: NPC\n').blob

const setOf = (...edits: ReadonlyArray<FileEdit>): ChangeSet<unknown> => ({
  edits,
  claims: [],
  touches: [],
  subject: 'test: change',
  answer: {},
  preview: {},
})
const whole = (path: string, after: string): FileEdit => ({
  _tag: 'Whole',
  path: sourceFile(path, '').path,
  before: null,
  after,
})
const lines = (blob = before, from = 3): FileEdit => ({
  _tag: 'Lines',
  path: sourceFile(index, '').path,
  before: blob,
  splices: [{ from, to: from - 1, lines: ['- @info: x'] }],
})

describe('the checks before a write', () => {
  const hookOf = (set: ChangeSet<unknown>, snapshot = world): string | null =>
    findRejection(builtInHooks, snapshot, set)?.hook ?? null

  it('let an ordinary write pass', () => {
    equal(hookOf(setOf(lines(), whole('Wątki/nowy.md', 'x'))), null)
  })

  it('keep writes out of the private state area, however its name is spelled', () => {
    for (const path of ['.svc/state/machine.token', '.SVC/State/x', '.svc/State/runtime.db'])
      equal(hookOf(setOf(whole(path, 'x'))), 'state-paths', path)
    equal(hookOf(setOf(whole('.svc/stateful.json', '{}'))), null)
  })

  it('reject lines of a file that is no text, or that is not the one served', () => {
    const [file] = [...world.files.values()]
    if (file === undefined) throw new Error('a file wanted')
    const broken = { ...world, files: new Map([[index, { ...file, undecodable: true }]]) }
    equal(hookOf(setOf(lines()), broken), 'editable-text')
    equal(hookOf(setOf(lines(sourceFile('x', 'y').blob))), 'whole-edits')
    equal(hookOf(setOf(lines(), lines())), 'whole-edits')
  })

  it('reject a file that is left out, for a plan that does not see it would replace it', () => {
    const without = { ...world, leftOut: new Set(['encje/duży.md']) }
    equal(hookOf(setOf(whole('encje/duży.md', 'x')), without), 'left-out')
    equal(hookOf(setOf(whole('encje/nowy.md', 'x')), without), null)
  })

  it('reject a file that no host would read any more', () => {
    equal(hookOf(setOf(whole('a.md', 'x'.repeat(writtenBytesMax)))), null)
    equal(hookOf(setOf(whole('a.md', `${'x'.repeat(writtenBytesMax - 1)}ż`))), 'file-size')
  })

  it('reject with what they throw, and are asked in order', () => {
    const asked: Array<string> = []
    const hook = (name: string, answer: () => string | null): BeforeWrite => ({
      name,
      check: () => {
        asked.push(name)
        return answer()
      },
    })
    const broken = hook('second', () => {
      throw new Error('no answer')
    })
    const hooks = [hook('first', () => null), broken, hook('third', () => null)]
    deepEqual(
      findRejection(hooks, world, setOf(lines())),
      refuse('WriteRejected', 'no answer', { hook: 'second' }),
    )
    deepEqual(asked, ['first', 'second'])
  })
})

describe('a batch', () => {
  const requestOf = (plan: WritePlan<unknown>, route = 'PATCH /x') => ({ plan, route })
  const claiming = (claim: string, from = 3) =>
    requestOf(() => right({ ...setOf(lines(before, from)), claims: [claim] }))
  const sorted = (
    hooks: ReadonlyArray<BeforeWrite>,
    ...requests: ReadonlyArray<ReturnType<typeof requestOf>>
  ) => batchOf(world, requests, 1, hooks)

  it('takes what does not meet, and leaves the later of two that do for the next', () => {
    const batch = sorted([], claiming('a'), claiming('b', 2), claiming('a'), claiming('c', 1))
    deepEqual(
      batch.ready.map(({ at }) => at),
      [0, 1, 3],
    )
    deepEqual(batch.deferred, [2])
  })

  it('answers each refusal, rejection and fault to its own write alone', () => {
    const error = new Error('a rule that threw')
    const refusal = refuse('Overloaded', 'no')
    const hook: BeforeWrite = {
      name: 'no-c',
      check: (_, { claims }) => (claims.includes('c') ? 'no c' : null),
    }
    const throws = requestOf(() => {
      throw error
    }, 'POST /broken')
    const same = requestOf(() => right(setOf()))
    const batch = sorted(
      [hook],
      requestOf(() => left(refusal)),
      throws,
      claiming('c'),
      same,
      claiming('a'),
    )
    deepEqual(
      batch.refused.map(({ at, refusal: { _tag } }) => [at, _tag]),
      [
        [0, 'Overloaded'],
        [1, 'Internal'],
        [2, 'WriteRejected'],
      ],
    )
    deepEqual(batch.faults, [{ route: 'POST /broken', error }])
    deepEqual([batch.same.map(({ at }) => at), batch.ready.map(({ at }) => at)], [[3], [4]])
  })
})
