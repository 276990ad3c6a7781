import { deepEqual, equal } from 'node:assert/strict'
import { right } from 'fp-ts/lib/Either.js'
import { requirePath } from '#protocol/atoms.js'
import type { FileEdit } from '#src/domain/lore/file-edit.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { batchOf } from '#test/support/batches.js'
import { worldOf } from '#test/support/world.js'
import type { WritePlan } from '../command.js'
import { builtInHooks, writtenBytesMaxOf } from './hooks.js'

const writtenBytesMax = writtenBytesMaxOf('a.md')

const path = requirePath('encje/indeks.md')

/** A file with `free` bytes left below the bound. */
const worldWith = (free: number): Snapshot => {
  const head = '### Orrin\n- @typ: NPC\n- @info: '
  const text = `${head}${'x'.repeat(writtenBytesMax - free - head.length - 1)}\n`
  return worldOf({ '.svc/format.json': '{"format": 2}', [path]: text })
}

const askEdit =
  (edit: (snapshot: Snapshot) => FileEdit): WritePlan<unknown> =>
  snapshot =>
    right({ edits: [edit(snapshot)], claims: [], touches: [], subject: '', answer: {}, preview: {} })

const appendLine = (line: string): WritePlan<unknown> =>
  askEdit(snapshot => {
    const file = snapshot.files.get(path)
    if (file === undefined) throw new Error('no file')
    return { _tag: 'Lines', path, before: file.blob, splices: [{ from: 4, to: 3, lines: [line] }] }
  })

const replaceFile = (line: string): WritePlan<unknown> =>
  askEdit(snapshot => {
    const file = snapshot.files.get(path)
    if (file === undefined) throw new Error('no file')
    return { _tag: 'Lines', path, before: file.blob, splices: [{ from: 3, to: 3, lines: [line] }] }
  })

const sortRequests = (snapshot: Snapshot, ...requests: ReadonlyArray<WritePlan<unknown>>) => {
  const { ready, refused, deferred } = batchOf(snapshot, requests, 0, builtInHooks)
  return {
    ready: ready.map(one => one.at),
    refused: refused.map(({ at, refusal }) => [at, refusal._tag]),
    deferred,
  }
}

/** A file past the bound is not read: every block in it would be gone with the write that was answered 201. */
describe('the size of a file after a write', () => {
  it('lets lines fill a file up to the bound', () => {
    deepEqual(sortRequests(worldWith(11), appendLine('x'.repeat(10))).ready, [0])
  })

  it('refuses the line that goes over it', () => {
    deepEqual(sortRequests(worldWith(11), appendLine('x'.repeat(11))).refused, [[0, 'WriteRejected']])
    deepEqual(sortRequests(worldWith(11), appendLine('ż'.repeat(6))).refused, [[0, 'WriteRejected']])
  })

  it('counts what a line takes the place of', () => {
    deepEqual(sortRequests(worldWith(11), replaceFile('- @info: short')).ready, [0])
  })

  it('plans the later of two again that go over it only together', () => {
    const sorted = sortRequests(worldWith(20), appendLine('x'.repeat(10)), appendLine('y'.repeat(10)))
    deepEqual(sorted, { ready: [0], refused: [], deferred: [1] })
  })

  it('counts a whole file as before', () => {
    const whole = (bytes: number) =>
      askEdit(() => ({ _tag: 'Whole', path: requirePath('a.md'), before: null, after: 'x'.repeat(bytes) }))
    equal(sortRequests(worldWith(20), whole(writtenBytesMax)).ready.length, 1)
    equal(sortRequests(worldWith(20), whole(writtenBytesMax + 1)).refused.length, 1)
  })
})
