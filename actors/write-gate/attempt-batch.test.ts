import { deepEqual, equal } from 'node:assert/strict'
import { isLeft, left } from 'fp-ts/lib/Either.js'
import { describe, it } from 'mocha'
import type { Landing, LandingFailure } from '#src/ports/landing.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { Command } from '#src/writing/command.js'
import { branchOf, gateOver } from '#test/support/branch.js'
import { testCommand, writeOf } from '#test/support/commands.js'
import { worldOf } from '#test/support/world.js'
import { attemptBatch, type BatchPorts } from './land-batch.js'
import type { AttemptOutcome, Write } from './messages.js'

const never = new AbortController().signal
const world = worldOf({
  '.svc/format.json': '{"format": 2}\n',
  'encje/indeks.md': ['Ala', 'Bór', 'Cis'].map(name => `### ${name}\n- @typ: Lokacja\n`).join('\n'),
})

const tell = (name: string, value = 'x'): Command =>
  testCommand({ row: 'entities.update', path: { name }, body: { tag: 'info', value } })
const rename = (from: string, to: string): Command =>
  testCommand({ row: 'entities.rename', path: { name: from }, body: { name: to } })
const leftWrite = (command: Command): Write => writeOf(command, () => false)

/** How each settled write ended, by its place in the batch. */
const endsOf = (outcome: AttemptOutcome): ReadonlyArray<string> | string =>
  outcome._tag === 'Settled'
    ? [...outcome.settled]
        .sort((one, other) => one.at - other.at)
        .map(({ at, outcome: said, isDropped = false }) => {
          const tag = isLeft(said) ? said.left._tag : 'written'
          return `${at} ${isDropped ? 'dropped' : tag}`
        })
    : outcome._tag

describe('an attempt at writes whose callers have left', () => {
  it('drops them before they are planned, and lands the others at their places', async () => {
    const branch = branchOf(world)
    const planned: Array<string | undefined> = []
    const gate = gateOver(branch)
    const ports: BatchPorts = {
      ...gate,
      plan: (command, snapshot, nowMs) => {
        planned.push(command.path['name'])
        return gate.plan(command, snapshot, nowMs)
      },
    }
    const outcome = await attemptBatch(
      ports,
      [leftWrite(tell('Ala')), writeOf(tell('Bór')), leftWrite(tell('Nikt')), writeOf(tell('Nikt'))],
      never,
    )
    deepEqual(endsOf(outcome), ['0 dropped', '1 written', '2 dropped', '3 EntityNotFound'])
    deepEqual(planned, ['Bór', 'Nikt'])
    equal(branch.children.size, 1)
  })

  it('looks for them when HEAD is loaded, and no more once a write is planned', async () => {
    const branch = branchOf(world)
    const gate = gateOver(branch)
    let isThere = true
    const leaveAfterPlan: BatchPorts = {
      ...gate,
      plan: (...asked) => {
        isThere = false
        return gate.plan(...asked)
      },
    }
    const leaving = writeOf(tell('Ala'), () => isThere)
    deepEqual(endsOf(await attemptBatch(leaveAfterPlan, [leaving], never)), ['0 written'])
    isThere = true
    const leaveAtLook: BatchPorts = {
      ...gate,
      fresh: () => {
        isThere = false
        return gate.fresh()
      },
    }
    deepEqual(endsOf(await attemptBatch(leaveAtLook, [leaving], never)), ['0 dropped'])
    equal(branch.children.size, 1)
  })

  it('drops a write that met an earlier one, if its caller leaves before the next batch', async () => {
    const branch = branchOf(world)
    let isThere = true
    const deferred = writeOf(tell('Ala', 'y'), () => isThere)
    deepEqual(endsOf(await attemptBatch(gateOver(branch), [writeOf(tell('Ala')), deferred], never)), [
      '0 written',
    ])
    isThere = false
    deepEqual(endsOf(await attemptBatch(gateOver(branch), [deferred], never)), ['0 dropped'])
    equal(branch.children.size, 1)
  })

  it('makes the write that a caller sends again', async () => {
    const branch = branchOf(world)
    const command = tell('Ala')
    deepEqual(endsOf(await attemptBatch(gateOver(branch), [leftWrite(command)], never)), ['0 dropped'])
    deepEqual(endsOf(await attemptBatch(gateOver(branch), [writeOf(command)], never)), ['0 written'])
    equal(branch.children.size, 1)
  })
})

describe('a refusal in a batch', () => {
  const batch = [rename('Ala', 'Ewa'), tell('Ala'), tell('Nikt')].map(command => writeOf(command))

  it('depends on no write that has yet to land: what meets a rename is planned on its result', async () => {
    const branch = branchOf(world)
    const gate = gateOver(branch)
    const judgedOn: Array<Snapshot> = []
    const ports: BatchPorts = {
      ...gate,
      plan: (command, snapshot, nowMs) => {
        judgedOn.push(snapshot)
        return gate.plan(command, snapshot, nowMs)
      },
    }
    const head = branch.head()
    deepEqual(endsOf(await attemptBatch(ports, batch, never)), ['0 written', '2 EntityNotFound'])
    equal(
      judgedOn.every(one => one === head),
      true,
    )
    const next = branch.head()
    deepEqual(endsOf(await attemptBatch(ports, batch.slice(1, 2), never)), ['0 written'])
    equal(judgedOn.at(-1), next)
  })

  for (const failure of [{ _tag: 'Moved' }, { _tag: 'Disk', reason: 'no room' }] as const)
    it(`is not settled where the landing of the batch fails, and nothing is landed (${failure._tag})`, async () => {
      const branch = branchOf(world)
      const gate = gateOver(branch)
      const { landing } = gate
      if (landing === null) throw new Error('the gate of a test has a landing')
      const fails: LandingFailure = failure
      let isFirst = true
      const open: Landing['open'] = (...asked) => {
        if (!isFirst) return landing.open(...asked)
        isFirst = false
        return Promise.resolve(left(fails))
      }
      deepEqual(await attemptBatch({ ...gate, landing: { ...landing, open } }, batch, never), {
        _tag: 'Failed',
        failure,
        tree: 'lore',
        apart: new Set(),
      })
      equal(branch.children.size, 0)
    })
})
