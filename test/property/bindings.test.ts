import { deepEqual, equal, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { isLeft, right } from 'fp-ts/lib/Either.js'
import { describe, it } from 'mocha'
import { routes } from '#protocol/routes.js'
import { identitiesOf, isAboveFloor } from '#src/domain/identity/callers.js'
import { machine } from '#src/domain/identity/credentials/tokens.js'
import { bundles } from '#src/domain/identity/roles.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { Admit, Command, WritePlan } from '#src/writing/command.js'
import { planCommandBy, planners } from '#src/writing/plan-command.js'
import { batchOf } from '#test/support/batches.js'
import { testCommand } from '#test/support/commands.js'
import { nowMs } from '#test/support/front.js'
import { makeLinkedWorld } from '#test/support/identity/linked-world.js'
import { runsOf } from '#test/support/runs.js'
import { makeWritingWorld } from '#test/support/writing-world.js'

const accounts = ['111', '222', '333', '777', '888']
const ids = ['1', '2', '3', '4', '7', '8', '9', '99']
const guild = [
  { id: '71', name: 'Narratorzy' },
  { id: '72', name: 'Rada Miasta' },
]
const admitRadny: Admit = () =>
  right({ ...machine, kind: 'session', gracz: 'Karol', holds: new Set<string>(bundles['radny']) })
const plan = planCommandBy({ table: routes, planners, admit: admitRadny })

interface Op {
  readonly how: 'register' | 'link' | 'narrator' | 'radny'
  readonly chatId: string
  readonly gameId: string
  readonly dryRun: boolean
}

const op: fc.Arbitrary<Op> = fc.record({
  how: fc.constantFrom('register', 'link', 'narrator', 'radny'),
  chatId: fc.constantFrom(...accounts),
  gameId: fc.constantFrom(...ids),
  dryRun: fc.boolean(),
})

const commandOfOp = ({ how, chatId, gameId, dryRun }: Op): Command => {
  if (how === 'register')
    return testCommand({ row: 'workflows.registerByChat', body: { chatId, gameId }, dryRun })
  if (how === 'link') return testCommand({ row: 'auth.link', body: { chatId, gameId }, dryRun })
  const body = { chatId: '5', targetChatId: chatId, gameId, roles: [how === 'narrator' ? '71' : '72'] }
  return testCommand({ row: 'workflows.assignByChat', body, prepared: guild, dryRun })
}

const pairs = ({ bindings }: Snapshot): ReadonlyMap<string, string> =>
  new Map([...bindings.byChat].map(([chat, { gameId }]) => [chat, gameId]))

/** What the model expects of an op that was taken. */
const after = (before: ReadonlyMap<string, string>, { chatId, gameId }: Op): ReadonlyMap<string, string> =>
  new Map([...[...before].filter(([chat, game]) => chat !== chatId && game !== gameId), [chatId, gameId]])

const sortPairs = (all: ReadonlyMap<string, string>) =>
  [...all].map(([chat, game]) => `${game}=${chat}`).sort()

describe('sequences of bindings', () => {
  it('keep one binding an account and one an id, and give nobody an id that is beyond who gave it', async () => {
    let taken = 0
    let refused = 0
    await fc.assert(
      fc.asyncProperty(fc.array(op, { minLength: 1, maxLength: 12 }), async ops => {
        const world = makeWritingWorld(makeLinkedWorld(), { nowMs, keeps: true, plan })
        for (const wish of ops) {
          const before = pairs(world.snapshot())
          const outcome = await world.write(commandOfOp(wish))
          const now = world.snapshot()
          deepEqual(now.bindings.findings, [])
          equal(now.bindings.byGame.size, now.bindings.stored?.length)
          if (isLeft(outcome) || wish.dryRun) {
            if (isLeft(outcome)) refused += 1
            deepEqual(sortPairs(pairs(now)), sortPairs(before))
            continue
          }
          taken += 1
          deepEqual(sortPairs(pairs(now)), sortPairs(after(before, wish)))
          const known = identitiesOf(now).byGameId(wish.gameId)
          ok(known !== null, 'an id that means nobody for certain was bound')
          const stood = before.get(wish.chatId) === wish.gameId
          if (wish.how === 'register' && !stood) ok(!isAboveFloor(known.holds, now.roles))
          if (wish.how === 'narrator') ok(wish.gameId !== '3' && before.get(wish.chatId) !== '3')
          if (wish.how !== 'register') ok(wish.gameId !== '7' && before.get(wish.chatId) !== '7')
        }
      }),
      { numRuns: runsOf(200) },
    )
    ok(taken > runsOf(200) / 2 && refused > runsOf(200) / 2, `${taken} taken, ${refused} refused`)
  })

  it('that share a batch land one at a time, whatever they are', () => {
    fc.assert(
      fc.property(fc.array(op, { minLength: 2, maxLength: 6 }), ops => {
        const plans = ops.map(
          (wish): WritePlan<unknown> =>
            (snapshot, atMs) =>
              plan(commandOfOp(wish), snapshot, atMs),
        )
        const batch = batchOf(makeLinkedWorld(), plans, nowMs)
        const writing = ops.filter(wish => {
          const planned = plan(commandOfOp(wish), makeLinkedWorld(), nowMs)
          return !isLeft(planned) && planned.right.edits.length > 0
        })
        equal(batch.ready.length <= 1, true)
        equal(batch.ready.length + batch.deferred.length >= Math.min(1, writing.length), true)
        equal(batch.faults.length, 0)
      }),
      { numRuns: runsOf(200) },
    )
  })

  it('of two accounts for one id end with the later one, and the earlier is told of', async () => {
    const world = makeWritingWorld(makeLinkedWorld(), { nowMs, keeps: true, plan })
    const race = async (chatId: string): Promise<unknown> => {
      const outcome = await world.write(commandOfOp({ how: 'register', chatId, gameId: '8', dryRun: false }))
      if (isLeft(outcome)) throw new Error(outcome.left.detail)
      return Reflect.get(Object(outcome.right.body), 'displaces')
    }
    deepEqual(await Promise.all(['222', '888'].map(race)), [null, '222'])
    equal(world.snapshot().bindings.byGame.get('8')?.chatId, '888')
  })
})
