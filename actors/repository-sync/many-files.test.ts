import { equal, ok } from 'node:assert/strict'
import { afterEach, describe, it } from 'mocha'
import { gitsOf } from '#test/support/counted-git.js'
import { areWhole } from '#test/support/runs.js'
import { type SyncWorld, syncWorld } from '#test/support/sync-hosts.js'

/** Files of one row each, with another row at the end where `more` is given. */
const files = (count: number, more = ''): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [
      `encje/${at}.md`,
      `### Osoba ${at}\n- @typ: NPC\n${more === '' ? '' : `- @info: ${more} ${at}\n`}`,
    ]),
  )

describe('a converge of many files that both hosts changed', () => {
  let world: SyncWorld
  afterEach(() => world.dispose())

  /** The git processes of a converge that merges `count` files by row. */
  const gitsForFiles = async (count: number): Promise<ReadonlyArray<string>> => {
    world = syncWorld(files(count))
    const [one, two] = [await world.host('a'), await world.host('b')]
    one.write(files(count, 'Kupiec.'))
    two.write(files(count, 'Kowal.'))
    await one.sync()
    const gits = await gitsOf(async () => {
      equal((await two.sync()).lastAction, 'merged')
    })
    equal(two.ended.at(-1)?.run.resolved, count)
    return gits
  }

  it('starts as many git processes for many files as for 5', async () => {
    const few = await gitsForFiles(5)
    await world.dispose()
    const many = await gitsForFiles(areWhole ? 500 : 50)
    equal(many.join('\n'), few.join('\n'))
    ok(many.length < 60, `${many.length} git processes`)
  })
})
