import { deepEqual } from 'node:assert/strict'
import { left, right } from 'fp-ts/lib/Either.js'
import { describe, it } from 'mocha'
import { notPublished } from '#actors/write-gate/refusals.js'
import { testCommand } from '#test/support/commands.js'
import { servedCommit } from '#test/support/contract-world.js'
import { type EnactPorts, enactBy, type ReachedRemote, reachedBy } from './enact.js'

const reached: ReachedRemote = { _tag: 'Reached' }
const away: ReachedRemote = { _tag: 'Away', reason: 'The remote was not reached (no route)' }
const written = { status: null, body: { Applied: true }, commit: servedCommit }

/** Makes one enactment with ports that answer in turn, and tells what was asked of them. */
const enact = async (given: {
  readonly converges: ReadonlyArray<ReachedRemote>
  readonly publishes?: ReadonlyArray<Awaited<ReturnType<EnactPorts['publish']>>>
  readonly has?: boolean
  readonly dryRun?: boolean
  readonly isEnactment?: boolean
}) => {
  const asked: Array<string> = []
  const [converges, publishes] = [[...given.converges], [...(given.publishes ?? [])]]
  const next = <A>(name: string, list: Array<A>): A => {
    asked.push(name)
    const one = list.shift()
    if (one === undefined) throw new Error(`${name} was not expected: ${asked.join(' ')}`)
    return one
  }
  const outcome = await enactBy({
    write: () => Promise.resolve(next('write', [right(written)])),
    publish: () => Promise.resolve(next('publish', publishes)),
    converge: () => Promise.resolve(next('converge', converges)),
    isEnactment: () => given.isEnactment ?? true,
    hasCommit: () => Promise.resolve(given.has ?? false),
  })(testCommand({ dryRun: given.dryRun ?? false }))
  const said =
    outcome._tag === 'Right' ? outcome.right.commit : [outcome.left._tag, Reflect.get(outcome.left, 'reason')]
  return { asked: asked.join(' '), said }
}

describe('how an enactment is made', () => {
  it('is an ordinary write for other rows, in a dry run, and without a remote', async () => {
    const other = await enact({ converges: [], isEnactment: false })
    deepEqual(other, { asked: 'write', said: servedCommit })
    deepEqual(await enact({ converges: [], dryRun: true }), { asked: 'write', said: servedCommit })
    deepEqual(await enact({ converges: [{ _tag: 'Off' }] }), { asked: 'converge write', said: servedCommit })
  })

  it('plans again where another host was faster, and not for any other refusal', async () => {
    const behind = left(notPublished('behind', ''))
    const twice = await enact({ converges: [reached, reached], publishes: [behind, right(written)] })
    deepEqual(twice, { asked: 'converge publish converge publish', said: servedCommit })
    const refused = await enact({ converges: [reached], publishes: [left(notPublished('unreachable', ''))] })
    deepEqual(refused, { asked: 'converge publish', said: ['NotPublished', 'unreachable'] })
  })

  it('gives up where the remote is away, and after six races of either kind', async () => {
    deepEqual(await enact({ converges: [away] }), {
      asked: 'converge',
      said: ['NotPublished', 'unreachable'],
    })
    const six = await enact({ converges: Array.from({ length: 6 }, () => ({ _tag: 'Beaten' as const })) })
    deepEqual(six, { asked: Array(6).fill('converge').join(' '), said: ['NotPublished', 'behind'] })
  })

  it('looks for a push that was not answered: found, not there, and a remote that is away', async () => {
    let followed = 0
    const unsure = right({
      ...written,
      commit: null,
      unsure: { commit: servedCommit, follow: () => Promise.resolve(void (followed += 1)) },
    })
    const found = await enact({ converges: [reached, reached], publishes: [unsure], has: true })
    deepEqual([found, followed], [{ asked: 'converge publish converge', said: servedCommit }, 1])
    const lost = await enact({ converges: [reached, reached, reached], publishes: [unsure, right(written)] })
    deepEqual(lost, { asked: 'converge publish converge converge publish', said: servedCommit })
    const unknown = await enact({ converges: [reached, away], publishes: [unsure] })
    deepEqual(unknown, { asked: 'converge publish converge', said: ['NotPublished', 'unknown'] })
  })

  it('takes only a converge that did all of its mode for one that reached the remote', () => {
    const tags = (
      ['up_to_date', 'merged', 'push_race', 'gate_busy', 'unreachable', 'auth_failed', null] as const
    ).map(action => reachedBy(action, null)._tag)
    deepEqual(tags, ['Reached', 'Reached', 'Beaten', 'Beaten', 'Away', 'Away', 'Away'])
  })
})
